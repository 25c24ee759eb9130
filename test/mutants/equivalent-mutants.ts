/**
 * Mutants that no test can kill, by file and name, and why: what they change nobody can observe. A name is
 * `function: what it was → what it becomes`, as `npm run mutants` prints it.
 */
export const equivalentMutants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/domain/src/keys/derivation-path.ts': {
    'scriptTypeOfPurpose: purpose === undefined → false':
      'The map knows no script type of undefined either; the condition is for the compiler.',
  },
  'packages/domain/src/invoices/invoice-status.ts': {
    "isPaidInFull: invoice.type === 'donation' || invoice.expectedAmount === null → (invoice.type === 'donation')":
      'Only a donation names no amount; the condition is for the compiler.',
    'byHeight: 0 → 1 #2':
      'Only confirmed payments are ordered by height, and they have one; of lost ones the order is not looked at.',
    'byTransaction: < → <=': 'No two groups have the same txid.',
    'shareInput: some → every': 'The outputs of one transaction spend the same.',
    'byHeight: 0 → 1':
      'Only confirmed payments are ordered by height, and they have one; of lost ones the order is not looked at.',
  },
  'packages/domain/src/invoices/possible-owners.ts': {
    'wasBelowTip: 1 → 2': 'No block has a height below 0.',
    'former: expectedAmount === null → false':
      'No amount equals nothing or is below it; the condition is for the compiler.',
  },
  'packages/domain/src/invoices/possible-statuses.ts': {
    "isFull: type === 'donation' || expectedAmount === null → (type === 'donation')":
      'Only a donation names no amount; the condition is for the compiler.',
  },
  'packages/domain/src/invoices/reconcile-invoice.ts': {
    'compareOutput: recorded === null → false':
      'A pair has an output of the chain, or a recorded one; the condition is for the compiler.',
    'minedOutput: chain === null → false':
      'What no block holds has no possible owner, and is not asked about; the condition is for the compiler.',
  },
  'packages/store/src/payments/payments.ts': {
    'findDerivedScripts: scripts.length === 0 → false':
      'With nothing asked the statement finds nothing; only a round trip is saved.',
    'assertSameLeases: scripts.length === 0 → false':
      'Without scripts no lease is known either, and none is read; only a round trip is saved.',
    'rows: tip_hash is not null → true':
      'No disconnected block has the hash null, so that the join leaves it out.',
  },
  'packages/domain/src/chain/address.ts': {
    'base58Script: 0 → 1':
      'Whatever has 25 digits in base58 has a first byte; the default is for the compiler.',
    'hrp: 0 → 1 #2': 'One letter is the prefix of no network, just as none is.',
    "decodeSegwit: 'bech32m' → ''":
      'Asked is only whether the checksum is that of bech32, or none; the value is for the reader.',
  },
  'packages/domain/src/invoices/invoice-amounts.ts': {
    'above: > → >=': 'The difference of equal amounts is nothing, too.',
  },
  'packages/domain/src/pools/address-classes.ts': {
    'highestLeasableIndex: 1 → 2': 'No start index is below 0, so that the other side is -1 at least.',
  },
  'packages/domain/src/chain/transaction.ts': {
    'isPlain: === → !==':
      'Takes the copying way for plain transactions, which hashes the same bytes; only slower.',
  },
};
