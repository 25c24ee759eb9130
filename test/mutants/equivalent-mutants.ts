/**
 * Mutants without an observable effect, which no test can kill, by file and name, with the reason. A name has the format of
 * `npm run mutants`: `function: original → mutated`.
 */
export const equivalentMutants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/domain/src/keys/derivation-path.ts': {
    'scriptTypeOfPurpose: purpose === undefined → false':
      'The map has no entry for undefined either; the condition is only for the compiler.',
  },
  'packages/domain/src/invoices/invoice-status.ts': {
    "isPaidInFull: invoice.type === 'donation' || invoice.expectedAmount === null → (invoice.type === 'donation')":
      'Only a donation names no amount; the condition is for the compiler.',
    'byHeight: 0 → 1 #2':
      'Only confirmed payments are ordered by height, and they have one; of lost ones the order is not looked at.',
    'byTransaction: < → <=': 'No two groups have the same txid.',
    'shareInput: some → every': 'All outputs of a transaction spend the same inputs.',
    'byHeight: 0 → 1':
      'Only confirmed payments are ordered by height, and they have one; of lost ones the order is not looked at.',
  },
  'packages/domain/src/invoices/possible-owners.ts': {
    'wasBelowTip: 1 → 2': 'No block has a height below 0.',
    'former: expectedAmount === null → false':
      'No amount is equal to or below null; the condition is only for the compiler.',
  },
  'packages/domain/src/invoices/possible-statuses.ts': {
    "isFull: type === 'donation' || expectedAmount === null → (type === 'donation')":
      'Only a donation names no amount; the condition is for the compiler.',
  },
  'packages/domain/src/invoices/reconcile-invoice.ts': {
    'compareOutput: recorded === null → false':
      'A pair has an output of the chain or a recorded one; the condition is only for the compiler.',
    'minedOutput: chain === null → false':
      'An output in no block has no possible owner, and the function is not called for it; the condition is only for the compiler.',
  },
  'packages/store/src/payments/payments.ts': {
    'findDerivedScripts: scripts.length === 0 → false':
      'Without scripts the statement finds nothing; the condition only saves a round trip.',
    'assertSameLeases: scripts.length === 0 → false':
      'Without scripts no lease is read; the condition only saves a round trip.',
    'rows: tip_hash is not null → true':
      'No disconnected block has the hash null, so the join returns no row for it.',
  },
  'packages/domain/src/invoices/invoice-amounts.ts': {
    'above: > → >=': 'The difference of equal amounts is 0 as well.',
  },
  'packages/domain/src/chain/headers/difficulty.ts': {
    'limit: 0n → 1n': 'The easiest target of every network is valid; the default is only for the compiler.',
    'target: 0n → 1n':
      'The target of a header that was accepted is valid; the default is only for the compiler.',
  },
  'packages/domain/src/chain/headers/merkle-root.ts': {
    'hashPairs: < → <=': 'The additional hash is written behind the parents, and nobody reads it.',
  },
  'packages/domain/src/pools/address-classes.ts': {
    'highestLeasableIndex: 1 → 2': 'No start index is below 0, so the other operand is at least -1.',
  },
  'packages/domain/src/chain/transaction.ts': {
    'isPlain: === → !==': 'Plain transactions are copied first; the hashed bytes are the same, only slower.',
  },
};
