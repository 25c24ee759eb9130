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
    'byHeight: 0 → 1':
      'Only confirmed payments are ordered by height, and they have one; of lost ones the order is not looked at.',
  },
  'packages/domain/src/invoices/possible-owners.ts': {
    'former: expectedAmount === null → false':
      'No amount equals nothing or is below it; the condition is for the compiler.',
  },
  'packages/domain/src/invoices/possible-statuses.ts': {
    "isFull: type === 'donation' || expectedAmount === null → (type === 'donation')":
      'Only a donation names no amount; the condition is for the compiler.',
  },
  'packages/domain/src/invoices/reconcile-invoice.ts': {
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
  'packages/domain/src/chain/transaction.ts': {
    'isPlain: === → !==':
      'Takes the copying way for plain transactions, which hashes the same bytes; only slower.',
  },
};
