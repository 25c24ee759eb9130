import { describe, expect, test } from 'vitest';
import {
  possibleOwners,
  type OwnedOutput,
  type OwnershipRecord,
  type ReconciledLease,
} from '../../src/invoices/possible-owners.ts';

const HOUR = 3_600_000;
const LEASED_AT = 1_000 * HOUR;

/** It began when block 100 was the tip, 50 hours before the later one, and its time was over 2 hours later. */
const earlier: ReconciledLease = {
  invoice: 'earlier',
  leasedAtMs: LEASED_AT - 50 * HOUR,
  tipHeight: 100,
  isTipOnChain: true,
  readCounter: 10n,
  expectedAmount: 700n,
  deadlineMs: LEASED_AT - 20 * HOUR,
};
const later: ReconciledLease = {
  ...earlier,
  invoice: 'later',
  leasedAtMs: LEASED_AT,
  tipHeight: 200,
  readCounter: 20n,
  expectedAmount: 500n,
  deadlineMs: LEASED_AT + HOUR,
};
const imported: ReconciledLease = { ...later, tipHeight: null, readCounter: null };
const output: OwnedOutput = { amount: 500n, height: 201, blockTimeMs: LEASED_AT };
const record: OwnershipRecord = {
  readCounter: 21n,
  mempoolAtMs: null,
  firstSeenMs: LEASED_AT,
  isSuccessor: false,
};

type Case = {
  output?: Partial<OwnedOutput>;
  record?: Partial<OwnershipRecord> | null;
  leases?: ReconciledLease[];
  isOnly?: boolean;
};
const ownersOf = ({ output: changed, record: known = {}, leases = [earlier, later], isOnly = true }: Case) =>
  [
    ...possibleOwners(
      { ...output, ...changed },
      leases,
      known === null ? null : { ...record, ...known },
      isOnly,
    ),
  ].map(String);

describe('possible owners of an output', () => {
  test.each<[string, Case, string[]]>([
    ['the latest holder', {}, ['later']],
    ['the latest holder, whatever the order of the leases', { leases: [later, earlier] }, ['later']],
    ['the latest holder where nothing is recorded', { record: null }, ['later']],
    ['the earlier one up to the tip of the later lease', { output: { height: 200 } }, ['earlier']],
    ['nobody up to the tip of the first lease', { output: { height: 100 } }, ['null']],
    ['nobody without a lease', { leases: [] }, ['null']],
    ['the earlier one where it was recorded before', { record: { readCounter: 20n } }, ['earlier']],
    ['the holder right after', { record: { readCounter: 21n } }, ['later']],
    [
      'either where a mempool held it before the lease',
      { record: { mempoolAtMs: LEASED_AT - 1 } },
      ['later', 'earlier'],
    ],
    ['the holder where a mempool held it since', { record: { mempoolAtMs: LEASED_AT } }, ['later']],
    [
      'the holder or nobody where there is one, and a mempool held it before',
      { leases: [later], record: { mempoolAtMs: LEASED_AT - 1 } },
      ['later', 'null'],
    ],
    [
      'either where the tip of the lease is gone',
      { leases: [earlier, { ...later, isTipOnChain: false }], output: { height: 200 } },
      ['later', 'earlier'],
    ],
    [
      'the holder above a tip that is gone',
      { leases: [earlier, { ...later, isTipOnChain: false }] },
      ['later'],
    ],
    ['an imported order by time', { leases: [imported], output: { height: 3 } }, ['later']],
    [
      'an imported order within the margin of miners',
      { leases: [imported], output: { blockTimeMs: LEASED_AT - 2 * HOUR } },
      ['later'],
    ],
    ['nobody beyond it', { leases: [imported], output: { blockTimeMs: LEASED_AT - 2 * HOUR - 1 } }, ['null']],
    [
      'an imported order whatever was recorded',
      { leases: [imported], record: { readCounter: 1n } },
      ['later'],
    ],
    [
      'an imported order though it was recorded before batches were counted',
      { leases: [imported], record: { readCounter: 0n } },
      ['later'],
    ],
    ['anybody for what replaces something', { record: { isSuccessor: true } }, ['earlier', 'later', 'null']],
  ])('%s', (_case, given, owners) => {
    expect(ownersOf(given)).toEqual(owners);
  });
});

test('only holders before the current one count as earlier holders', () => {
  const oldest = {
    ...earlier,
    invoice: 'oldest',
    leasedAtMs: earlier.leasedAtMs - HOUR,
    expectedAmount: 900n,
  };
  const leases = [oldest, earlier, later];
  const mempool = { mempoolAtMs: LEASED_AT - 1 };
  expect(ownersOf({ leases, output: { amount: 900n }, record: mempool })).toEqual(['oldest']);
  expect(ownersOf({ leases, output: { amount: 700n }, record: mempool })).toEqual(['earlier']);
});

describe('late money', () => {
  const exact = { output: { amount: 700n } };
  test.each<[string, Case, string[]]>([
    ['goes to whom it was meant for', exact, ['earlier']],
    ['goes to either where nothing is recorded of it', { ...exact, record: null }, ['earlier', 'later']],
    ['stays where it is no exact due', { output: { amount: 701n } }, ['later']],
    [
      'stays where the holder asks for as much',
      { ...exact, leases: [earlier, { ...later, expectedAmount: 700n }] },
      ['later'],
    ],
    [
      'stays where the holder names no amount',
      { ...exact, leases: [earlier, { ...later, expectedAmount: null }] },
      ['later'],
    ],
    [
      'stays where the earlier one named none',
      { ...exact, leases: [{ ...earlier, expectedAmount: null }, later] },
      ['later'],
    ],
    [
      'stays a day after the earlier deadline',
      { ...exact, leases: [{ ...earlier, deadlineMs: LEASED_AT - 24 * HOUR }, later] },
      ['later'],
    ],
    [
      'may be meant just before, by the clocks of miners',
      { ...exact, leases: [{ ...earlier, deadlineMs: LEASED_AT - 24 * HOUR + 1 }, later] },
      ['earlier', 'later'],
    ],
    [
      'is not certain two hours earlier',
      { ...exact, leases: [{ ...earlier, deadlineMs: LEASED_AT - 22 * HOUR }, later] },
      ['earlier', 'later'],
    ],
    [
      'is certain after that',
      { ...exact, leases: [{ ...earlier, deadlineMs: LEASED_AT - 22 * HOUR + 1 }, later] },
      ['earlier'],
    ],
    [
      'may be meant by when it was seen, though its block came later',
      { output: { amount: 700n, blockTimeMs: LEASED_AT + 100 * HOUR } },
      ['earlier', 'later'],
    ],
    ['may be a part where more was paid', { output: { amount: 300n }, isOnly: false }, ['earlier', 'later']],
    ['is no part where nothing else came', { output: { amount: 600n } }, ['later']],
    ['is no part where it is more', { output: { amount: 701n }, isOnly: false }, ['later']],
  ])('%s', (_case, given, owners) => {
    expect(ownersOf(given)).toEqual(owners);
  });
});
