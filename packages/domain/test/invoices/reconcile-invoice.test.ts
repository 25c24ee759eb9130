import { describe, expect, test } from 'vitest';
import type { ReconciledLease } from '../../src/invoices/possible-owners.ts';
import {
  reconcileInvoice,
  type ChainOutput,
  type Difference,
  type ReconciliationCase,
  type RecordedOutput,
} from '../../src/invoices/reconcile-invoice.ts';

const HOUR = 3_600_000;
const LEASED_AT = 1_000 * HOUR;
const MINED_AT = LEASED_AT + HOUR;
const DEADLINE = MINED_AT + 2 * HOUR;
const TXID = 'ab'.repeat(32);
const OUTPOINT = `${TXID}:1`;

const lease: ReconciledLease = {
  invoice: 'inv_a',
  leasedAtMs: LEASED_AT,
  tipHeight: 100,
  isTipOnChain: true,
  readCounter: 10n,
  expectedAmount: 500n,
  deadlineMs: DEADLINE,
};
const mined: ChainOutput = {
  txid: TXID,
  vout: 1,
  scriptHex: 'aa',
  amount: 500n,
  height: 105,
  blockTimeMs: MINED_AT,
};
const known: RecordedOutput = {
  txid: TXID,
  vout: 1,
  scriptHex: 'aa',
  amount: 500n,
  invoice: 'inv_a',
  height: 105,
  firstSeenMs: MINED_AT,
  isCounted: true,
  readCounter: 11n,
  mempoolAtMs: null,
  isAfterOutcome: false,
  hasRival: false,
  isSuccessor: false,
};
const invoice: ReconciliationCase['invoice'] = {
  publicId: 'inv_a',
  status: 'confirmed',
  scriptHex: 'aa',
  terms: {
    type: 'order',
    expectedAmount: 500n,
    toleranceBps: 0,
    confirmationsRequired: 3,
    deadlineMs: DEADLINE,
  },
};
/** An order that is paid in full and confirmed, and recorded as such. */
const paid: ReconciliationCase = {
  invoice,
  leases: [lease],
  chain: [mined],
  recorded: [known],
  read: { from: 90, fromTimeMs: LEASED_AT - 10 * HOUR, to: 110 },
  isOver: true,
  isWithheld: false,
};
const of = (status: ReconciliationCase['invoice']['status']) => ({ invoice: { ...invoice, status } });
const differencesOf = (given: Partial<ReconciliationCase>): Difference[] =>
  reconcileInvoice({ ...paid, ...given });
/** The paid order, where something else is recorded of its payment. */
const differs = (changed: Partial<RecordedOutput>): Difference[] =>
  differencesOf({ recorded: [{ ...known, ...changed }] });
const kinds = (given: Partial<ReconciliationCase>) => differencesOf(given).map(({ kind }) => kind);
const readFrom = (from: number, fromTimeMs = LEASED_AT) => ({ read: { from, fromTimeMs, to: 110 } });
const payment = (kind: Difference['kind'], expected: string | null, recorded: string | null) => ({
  kind,
  outpoint: OUTPOINT,
  expected,
  recorded,
});
const status = (expected: string, recorded: string) => ({
  kind: 'wrong_status',
  outpoint: null,
  expected,
  recorded,
});

test('records that match the chain have no difference', () => {
  expect(differencesOf({})).toEqual([]);
});

describe('payments', () => {
  test('a payment that is not recorded is missing, and the status is still checked', () => {
    const missing = payment('missing_payment', '500 in block 105', null);
    expect(differencesOf({ recorded: [] })).toEqual([missing]);
    expect(differencesOf({ recorded: [], ...of('expired') })).toEqual([
      missing,
      status('confirmed', 'expired'),
    ]);
  });

  test('one that is older than every lease is nobody’s to miss', () => {
    expect(differencesOf({ chain: [{ ...mined, height: 100 }], recorded: [], ...of('expired') })).toEqual([]);
  });

  test('one that no block holds is unknown, within the blocks that were read', () => {
    const unknown = payment('unknown_payment', null, '500 in block 105');
    expect(differencesOf({ chain: [] })).toEqual([unknown, status('expired', 'confirmed')]);
    for (const height of [90, 110])
      expect(differencesOf({ chain: [], recorded: [{ ...known, height }] })[0]?.kind).toBe('unknown_payment');
    for (const height of [89, 111])
      expect(differencesOf({ chain: [], recorded: [{ ...known, height }] })[0]?.kind).toBe('wrong_status');
  });

  test('one that no block holds and that is recorded as such is no difference', () => {
    const waiting = { ...known, height: null, isCounted: false };
    expect(differencesOf({ chain: [], recorded: [waiting], isOver: false, ...of('pending') })).toEqual([]);
    expect(differencesOf({ chain: [], recorded: [waiting], isOver: false, ...of('confirmed') })).toEqual([
      status('new or pending', 'confirmed'),
    ]);
  });

  test('amount, address and block are held against the chain', () => {
    expect(differs({ amount: 499n })).toEqual([payment('wrong_amount', '500', '499')]);
    expect(differs({ scriptHex: 'bb' })).toEqual([payment('wrong_address', 'aa', 'bb')]);
    expect(differs({ height: 104 })).toEqual([payment('wrong_block', 'block 105', 'block 104')]);
    expect(differs({ height: null })).toEqual([payment('wrong_block', 'block 105', 'no block')]);
  });

  test('one that another invoice has, or none, is named with whom it belongs to', () => {
    expect(differs({ invoice: 'inv_b' })).toEqual([payment('wrong_invoice', 'inv_a', 'inv_b')]);
    expect(differs({ invoice: null })).toEqual([payment('wrong_invoice', 'inv_a', 'no invoice')]);
  });

  test('one that the invoice has though it is older is named', () => {
    expect(
      differencesOf({
        chain: [{ ...mined, height: 100 }],
        recorded: [{ ...known, height: 100 }],
        ...of('expired'),
      }),
    ).toEqual([payment('wrong_invoice', 'no invoice', 'inv_a')]);
  });

  test('one at another address, or of a stranger, that no block holds is named', () => {
    const waiting = { ...known, height: null };
    const elsewhere = { ...waiting, txid: 'cd'.repeat(32), scriptHex: 'bb' };
    expect(differencesOf({ recorded: [known, elsewhere] })).toEqual([
      { kind: 'wrong_invoice', outpoint: `${elsewhere.txid}:1`, expected: 'no invoice', recorded: 'inv_a' },
    ]);
    const strange = { ...waiting, txid: 'cd'.repeat(32), invoice: 'inv_b' };
    expect(differencesOf({ recorded: [known, strange] })).toEqual([
      { kind: 'wrong_invoice', outpoint: `${strange.txid}:1`, expected: 'inv_a', recorded: 'inv_b' },
    ]);
    expect(differencesOf({ recorded: [known, { ...strange, invoice: null }] })).toEqual([]);
    const former = { ...lease, invoice: 'inv_b', tipHeight: 50, leasedAtMs: LEASED_AT - 9 * HOUR };
    const shared = { leases: [former, lease], recorded: [known, strange] };
    expect(differencesOf(shared)).toEqual([]);
    const stranger = { ...strange, invoice: 'inv_c' };
    expect(differencesOf({ ...shared, recorded: [known, stranger] })[0]?.expected).toBe('inv_b or inv_a');
  });

  test('one of an earlier holder is its own', () => {
    const former = { ...lease, invoice: 'inv_b', tipHeight: 50, leasedAtMs: LEASED_AT - 9 * HOUR };
    const older = { ...mined, txid: 'cd'.repeat(32), height: 60 };
    const theirs = { ...known, txid: older.txid, height: 60, invoice: 'inv_b' };
    const given = { leases: [former, lease], chain: [older, mined], recorded: [theirs, known] };
    expect(differencesOf(given)).toEqual([]);
    expect(differencesOf({ ...given, recorded: [{ ...theirs, invoice: 'inv_a' }, known] })).toEqual([
      { kind: 'wrong_invoice', outpoint: `${older.txid}:1`, expected: 'inv_b', recorded: 'inv_a' },
    ]);
    // Its differences are reported with that invoice.
    expect(differencesOf({ ...given, recorded: [{ ...theirs, amount: 1n }, known] })).toEqual([]);
    expect(differencesOf({ ...given, recorded: [known] })).toEqual([]);
  });

  test('one that belongs to no invoice is compared, too', () => {
    const nobodys = { ...known, height: 100, invoice: null, amount: 1n };
    const given = { chain: [{ ...mined, height: 100 }], recorded: [nobodys], ...of('expired') };
    expect(differencesOf(given)).toEqual([payment('wrong_amount', '500', '1')]);
  });
});

describe('late money of an earlier holder', () => {
  const former = {
    ...lease,
    invoice: 'inv_b',
    tipHeight: 50,
    leasedAtMs: LEASED_AT - 9 * HOUR,
    expectedAmount: 700n,
    deadlineMs: LEASED_AT,
  };
  const meant = { ...mined, amount: 700n };
  const given = { leases: [former, lease], chain: [meant], recorded: [{ ...known, amount: 700n }] };

  test('is certain where nothing else pays the address', () => {
    expect(differencesOf({ ...given, ...of('expired') })).toEqual([
      payment('wrong_invoice', 'inv_b', 'inv_a'),
    ]);
  });

  test('is possible where something else does', () => {
    const second = { txid: 'cd'.repeat(32), amount: 500n };
    const both = {
      chain: [meant, { ...mined, ...second }],
      recorded: [...given.recorded, { ...known, ...second }],
    };
    expect(differencesOf({ ...given, ...both })).toEqual([]);
    const strange = { ...both, recorded: [{ ...known, amount: 700n, invoice: 'inv_c' }] };
    expect(differencesOf({ ...given, ...strange })[0]).toEqual(
      payment('wrong_invoice', 'inv_b or inv_a', 'inv_c'),
    );
  });
});

describe('lateness', () => {
  const late = { ...known, firstSeenMs: DEADLINE + 1 };

  test('is judged by the record where the chain does not show it', () => {
    const chain = [{ ...mined, blockTimeMs: MINED_AT + 1 }];
    expect(differencesOf({ chain, recorded: [late], ...of('late_payment') })).toEqual([]);
    expect(differencesOf({ chain, recorded: [late] })).toEqual([status('late_payment', 'confirmed')]);
    expect(differencesOf({ chain })).toEqual([]);
    expect(differencesOf({ chain, recorded: [{ ...known, firstSeenMs: DEADLINE }] })).toEqual([]);
  });

  test('is wrong where a block held the payment long before the end', () => {
    expect(differencesOf({ recorded: [late] })).toEqual([payment('wrong_lateness', 'in time', 'late')]);
    expect(differs({ firstSeenMs: DEADLINE })).toEqual([]);
  });

  test('of what was recorded after the outcome leaves both open', () => {
    const recorded = [{ ...known, isAfterOutcome: true }];
    for (const found of ['late_payment', 'confirmed'] as const)
      expect(differencesOf({ recorded, ...of(found) })).toEqual([]);
    expect(differencesOf({ recorded, ...of('expired') })).toEqual([
      status('confirmed or late_payment', 'expired'),
    ]);
  });

  test('of what a conflict made void for a time leaves both open: it may have returned after the outcome', () => {
    const recorded = [{ ...known, hasRival: true }];
    for (const found of ['late_payment', 'confirmed'] as const)
      expect(differencesOf({ recorded, ...of(found) })).toEqual([]);
    expect(differencesOf({ recorded, ...of('expired') })).toEqual([
      status('confirmed or late_payment', 'expired'),
    ]);
  });

  test('of what is missing is open where the chain does not show it', () => {
    const chain = [{ ...mined, blockTimeMs: MINED_AT + 1 }];
    expect(differencesOf({ chain, recorded: [], ...of('expired') })).toEqual([
      payment('missing_payment', '500 in block 105', null),
      status('confirmed or late_payment', 'expired'),
    ]);
  });
});

describe('the status', () => {
  test('counts what may belong to the invoice, and what may not', () => {
    const former = { ...lease, invoice: 'inv_b', tipHeight: 50, leasedAtMs: LEASED_AT - 9 * HOUR };
    const given = {
      leases: [former, { ...lease, isTipOnChain: false }],
      chain: [{ ...mined, height: 99 }],
      recorded: [],
    };
    for (const found of ['confirmed', 'expired'] as const)
      expect(differencesOf({ ...given, ...of(found) }).length).toBe(1);
    expect(differencesOf({ ...given, ...of('underpaid') })).toContainEqual(
      status('expired or confirmed', 'underpaid'),
    );
  });

  test('does not count what another invoice may have, and has', () => {
    const former = { ...lease, invoice: 'inv_b', tipHeight: 50, leasedAtMs: LEASED_AT - 9 * HOUR };
    const given = {
      leases: [former, { ...lease, isTipOnChain: false }],
      chain: [{ ...mined, height: 99 }],
      recorded: [{ ...known, height: 99, invoice: 'inv_b' }],
    };
    expect(differencesOf({ ...given, ...of('expired') })).toEqual([]);
    expect(differencesOf(given)).toEqual([status('expired', 'confirmed')]);
    // Late for this invoice, and that one has another deadline.
    const late = [{ ...known, height: 99, invoice: 'inv_b', firstSeenMs: DEADLINE + 1 }];
    expect(differencesOf({ ...given, recorded: late, ...of('expired') })).toEqual([]);
  });

  test('does not count what an earlier holder may have, or nobody', () => {
    const former = {
      ...lease,
      invoice: 'inv_b',
      tipHeight: 60,
      isTipOnChain: false,
      leasedAtMs: LEASED_AT - HOUR,
    };
    const given = { leases: [former, lease], chain: [{ ...mined, height: 55 }], recorded: [] };
    expect(differencesOf(given)).toEqual([status('expired', 'confirmed')]);
  });

  test('takes no payment for unmined that a block holds', () => {
    const given = {
      chain: [{ ...mined, amount: 250n }],
      recorded: [{ ...known, amount: 250n, height: null }],
    };
    expect(differencesOf({ ...given, ...of('pending') })[1]).toEqual(status('underpaid', 'pending'));
  });

  test('counts once what is missing', () => {
    expect(differencesOf({ chain: [{ ...mined, amount: 250n }], recorded: [] })[1]).toEqual(
      status('underpaid', 'confirmed'),
    );
  });

  test('is not left open by what another holder waits for', () => {
    const waiting = { ...known, invoice: 'inv_b', height: null, isCounted: false };
    const leases = [lease, { ...lease, invoice: 'inv_b' }];
    expect(differencesOf({ chain: [], recorded: [waiting], leases, ...of('pending') })).toEqual([
      status('expired', 'pending'),
    ]);
  });

  test('counts what a stranger has, as far as it may belong to the invoice', () => {
    const former = { ...lease, invoice: 'inv_b', tipHeight: 50, leasedAtMs: LEASED_AT - 9 * HOUR };
    const strange = {
      leases: [former, { ...lease, isTipOnChain: false }],
      chain: [{ ...mined, height: 99 }],
      recorded: [{ ...known, height: 99, invoice: 'inv_c' }],
    };
    expect(kinds(strange)).toEqual(['wrong_invoice']);
    expect(kinds({ ...strange, ...of('expired') })).toEqual(['wrong_invoice']);
  });

  test('stays where reported money left the chain, or is not as deep again', () => {
    expect(differencesOf({ chain: [], recorded: [{ ...known, height: null }], isOver: false })).toEqual([]);
    const shallow = { chain: [{ ...mined, height: 109 }], recorded: [{ ...known, height: 109 }] };
    expect(differencesOf(shallow)).toEqual([]);
    const justDeep = { chain: [{ ...mined, height: 108 }], recorded: [{ ...known, height: 108 }] };
    expect(differencesOf({ ...justDeep, ...of('underpaid') })).toEqual([status('confirmed', 'underpaid')]);
    const uncounted = { ...shallow, recorded: [{ ...known, height: 109, isCounted: false }] };
    expect(differencesOf(uncounted)).toEqual([status('pending', 'confirmed')]);
    expect(differencesOf({ recorded: [{ ...known, isCounted: true }], ...of('underpaid') })).toEqual([
      status('confirmed', 'underpaid'),
    ]);
  });

  test('is open while a second source may be asked', () => {
    expect(differencesOf({ isWithheld: true, ...of('pending') })).toEqual([]);
    expect(differencesOf(of('pending'))).toEqual([status('confirmed', 'pending')]);
  });

  test('is open around the deadline', () => {
    const nothing = { chain: [], recorded: [], isOver: null };
    expect(differencesOf({ ...nothing, ...of('new') })).toEqual([]);
    expect(differencesOf({ ...nothing, ...of('expired') })).toEqual([]);
    expect(differencesOf({ ...nothing, ...of('confirmed') })).toHaveLength(1);
  });
});

describe('blocks that nobody has any more', () => {
  test('leave an outcome unverifiable whose lease began below them', () => {
    expect(kinds(readFrom(101))).toEqual([]);
    expect(kinds(readFrom(102))).toEqual(['unverifiable']);
    expect(differencesOf(readFrom(102))[0]).toMatchObject({ outpoint: null, recorded: 'confirmed' });
  });

  test('are separated by time if the lease has no tip or its tip was orphaned', () => {
    for (const leases of [[{ ...lease, tipHeight: null }], [{ ...lease, isTipOnChain: false }]]) {
      expect(kinds({ leases, ...readFrom(101, LEASED_AT - 2 * HOUR) })).toEqual([]);
      expect(kinds({ leases, ...readFrom(101, LEASED_AT - 2 * HOUR + 1) })).toEqual(['unverifiable']);
    }
  });

  test('are none for an invoice without a lease, nor for a payment without a block', () => {
    expect(kinds({ leases: [], chain: [], recorded: [], ...readFrom(102), ...of('expired') })).toEqual([]);
    const waiting = { chain: [], recorded: [{ ...known, height: null, isCounted: false }] };
    expect(kinds({ ...waiting, ...readFrom(0), ...of('pending') })).toEqual([]);
  });

  test('are none where all were read', () => {
    expect(kinds({ leases: [{ ...lease, tipHeight: null }], ...readFrom(0, LEASED_AT) })).toEqual([]);
  });

  test('hide no difference of a payment in those that were read', () => {
    expect(kinds({ recorded: [{ ...known, amount: 1n }], ...readFrom(102) })).toEqual([
      'wrong_amount',
      'unverifiable',
    ]);
  });
});
