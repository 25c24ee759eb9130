import { describe, expect, test } from 'vitest';
import { decideInvoiceStatus, isPaidInFull } from '../../src/invoices/invoice-status.ts';
import type { Decision, InvoiceFacts, InvoiceStatus } from '../../src/invoices/invoice-status.ts';
import type { PaymentFacts } from '../../src/invoices/payment-facts.ts';

const DEADLINE = 1_000_000;
const BEFORE = DEADLINE;
const AFTER = DEADLINE + 1;
const TIP = 100;

const order: InvoiceFacts = {
  type: 'order',
  status: 'new',
  expectedAmount: 1000n,
  confirmationsRequired: 2,
  deadlineMs: DEADLINE,
  toleranceBps: 0,
};
const fresh = { tipHeight: TIP, isFresh: true };
const stale = { tipHeight: TIP, isFresh: false };

function pay(txid: string, over: Partial<PaymentFacts> = {}): PaymentFacts {
  return {
    txid,
    vout: 0,
    amount: 1000n,
    firstSeenMs: DEADLINE,
    blockHeight: null,
    isVoid: false,
    conflictsSettled: false,
    isCounted: false,
    spends: [`${txid}-coin:0`],
    ...over,
  };
}
const late = { firstSeenMs: AFTER };
const deep = { blockHeight: TIP - 1 };
const shallow = { blockHeight: TIP };
const half = { amount: 500n };
const counted = { isCounted: true };
const gone = { isVoid: true };
const lost = { isVoid: true, conflictsSettled: true };

function arrows(decision: Decision): string[] {
  return decision.steps.map((step) =>
    [`${step.from} > ${step.to}`, step.event, step.txid].filter((part) => part !== null).join(' '),
  );
}

type Row = [title: string, from: InvoiceStatus, payments: PaymentFacts[], nowMs: number, steps: string[]];

describe('every row of the state table', () => {
  test.each<Row>([
    ['a payment in time is seen', 'new', [pay('a')], BEFORE, ['new > pending']],
    ['a payment in time is learned of after the deadline', 'new', [pay('a')], AFTER, ['new > pending']],
    ['nothing was seen and there is time', 'new', [], BEFORE, []],
    ['a late payment makes nothing pending', 'new', [pay('a', late)], BEFORE, []],
    ['every payment is void before the deadline', 'pending', [pay('a', gone)], BEFORE, ['pending > new']],
    ['one payment of two is void', 'pending', [pay('a', gone), pay('b')], BEFORE, []],
    ['paid in full', 'pending', [pay('a', deep)], BEFORE, ['pending > confirmed invoice.confirmed']],
    ['paid in full at first sight', 'new', [pay('a', deep)], BEFORE, ['new > confirmed invoice.confirmed']],
    ['one block short of confirmed', 'pending', [pay('a', shallow)], BEFORE, []],
    [
      'two payments in time together pay in full',
      'pending',
      [pay('a', { ...deep, ...half }), pay('b', { ...deep, ...half })],
      BEFORE,
      ['pending > confirmed invoice.confirmed'],
    ],
    [
      'a payment seen in time confirms long after the deadline',
      'pending',
      [pay('a', deep)],
      AFTER * 10,
      ['pending > confirmed invoice.confirmed'],
    ],
    ['the deadline passed without a payment', 'new', [], AFTER, ['new > expired invoice.expired']],
    [
      'the deadline passed and every payment lost to a block',
      'pending',
      [pay('a', lost)],
      AFTER,
      ['pending > expired invoice.expired'],
    ],
    [
      'the deadline passed on part of the amount',
      'pending',
      [pay('a', { ...deep, ...half })],
      AFTER,
      ['pending > underpaid invoice.underpaid'],
    ],
    [
      'part of the amount at first sight, after the deadline',
      'new',
      [pay('a', { ...deep, ...half })],
      AFTER,
      ['new > underpaid invoice.underpaid'],
    ],
    [
      'part confirmed, the rest waits for its confirmations',
      'pending',
      [pay('a', { ...deep, ...half }), pay('b', { ...half, ...shallow })],
      AFTER,
      [],
    ],
    [
      'part confirmed, the rest is void',
      'pending',
      [pay('a', { ...deep, ...half }), pay('b', { ...half, ...gone })],
      AFTER,
      ['pending > underpaid invoice.underpaid'],
    ],
    [
      'a late payment confirms',
      'expired',
      [pay('a', { ...late, ...deep })],
      AFTER,
      ['expired > late_payment invoice.late_payment a'],
    ],
    [
      'a payment in time returns after all',
      'expired',
      [pay('a', deep)],
      AFTER,
      ['expired > late_payment invoice.late_payment a'],
    ],
    ['a late payment is not yet deep', 'expired', [pay('a', { ...late, ...shallow })], AFTER, []],
    [
      'a payment not counted in the shortfall confirms',
      'underpaid',
      [pay('a', { ...deep, ...half, ...counted }), pay('b', deep)],
      AFTER,
      ['underpaid > late_payment invoice.late_payment b'],
    ],
    ['the counted part alone', 'underpaid', [pay('a', { ...deep, ...half, ...counted })], AFTER, []],
    [
      'a further payment after the outcome',
      'confirmed',
      [pay('a', { ...deep, ...counted }), pay('b', { ...deep, ...late })],
      AFTER,
      ['confirmed > confirmed invoice.late_payment b'],
    ],
    [
      'a further payment after a late one',
      'late_payment',
      [pay('a', { ...deep, ...counted }), pay('b', { ...deep, ...late })],
      AFTER,
      ['late_payment > late_payment invoice.late_payment b'],
    ],
    [
      'a fee bump of what was counted',
      'confirmed',
      [pay('a', { ...lost, ...counted, spends: ['x:0'] }), pay('b', { ...deep, spends: ['x:0', 'y:0'] })],
      AFTER,
      [],
    ],
    [
      'a fee bump of a late payment that was counted',
      'late_payment',
      [pay('a', { ...lost, ...counted, spends: ['x:0'] }), pay('b', { ...deep, spends: ['x:0'] })],
      AFTER,
      [],
    ],
    [
      'a further output of a transaction that was counted, which spends nothing that it shares with others',
      'confirmed',
      [pay('a', { ...deep, ...counted, spends: [] }), pay('a', { ...deep, vout: 1, spends: [] })],
      AFTER,
      [],
    ],
    [
      'the first of two late payments with the same coin',
      'expired',
      [pay('a', { ...late, ...deep, spends: ['x:0'] }), pay('b', { ...late, ...deep, spends: ['x:0'] })],
      AFTER,
      ['expired > late_payment invoice.late_payment a'],
    ],
    [
      'a late payment that waits for a second source',
      'expired',
      [pay('a', { ...late, ...deep, isWithheld: true })],
      AFTER,
      [],
    ],
    [
      'a replacement confirms where the shortfall was reported',
      'underpaid',
      [pay('a', { ...lost, ...counted, spends: ['x:0'] }), pay('b', { ...deep, spends: ['x:0'] })],
      AFTER,
      ['underpaid > late_payment invoice.late_payment b'],
    ],
  ])('%s: from %s', (_title, from, payments, nowMs, steps) => {
    const decision = decideInvoiceStatus({ ...order, status: from }, payments, fresh, nowMs);
    expect(arrows(decision)).toEqual(steps);
    expect(decision.status).toBe(decision.steps.at(-1)?.to ?? from);
  });
});

describe('waiting', () => {
  test.each<[string, InvoiceStatus, PaymentFacts[]]>([
    ['a payment in time that was evicted holds the invoice past its deadline', 'pending', [pay('a')]],
    ['a void payment whose conflict is in no block holds it too', 'pending', [pay('a', gone)]],
    [
      'a void payment seen in time makes it pending past the deadline, for it may still return',
      'new',
      [pay('a', gone)],
    ],
    ['one lost, one whose conflict is in no block', 'pending', [pay('a', lost), pay('b', gone)]],
    [
      'a payment that waits for a second source pays nothing yet',
      'pending',
      [pay('a', { ...deep, isWithheld: true })],
    ],
    [
      'a payment that waits for a second source does not fall short either',
      'pending',
      [pay('a', { ...deep, ...half, isWithheld: true })],
    ],
  ])('%s', (_title, status, payments) => {
    const decision = decideInvoiceStatus({ ...order, status }, payments, fresh, AFTER);
    expect(decision.status).toBe('pending');
    expect(decision.steps.filter((step) => step.event !== null)).toEqual([]);
  });

  test.each<[string, PaymentFacts[]]>([
    ['expire', []],
    ['expire with what was lost', [pay('a', lost)]],
    ['fall short', [pay('a', { ...deep, ...half })]],
  ])('an invoice does not become %s while the view is stale', (_title, payments) => {
    const open = payments.length === 0 ? 'new' : 'pending';
    expect(decideInvoiceStatus({ ...order, status: open }, payments, stale, AFTER).steps).toEqual([]);
  });

  test('a stale view still confirms known payments', () => {
    expect(decideInvoiceStatus(order, [pay('a', deep)], stale, AFTER).status).toBe('confirmed');
  });

  test('the deadline is inclusive, for payments and for the invoice', () => {
    expect(decideInvoiceStatus(order, [], fresh, DEADLINE).status).toBe('new');
    expect(decideInvoiceStatus(order, [pay('a', { firstSeenMs: DEADLINE })], fresh, AFTER).status).toBe(
      'pending',
    );
    expect(decideInvoiceStatus(order, [pay('a', { firstSeenMs: DEADLINE + 1 })], fresh, AFTER).status).toBe(
      'expired',
    );
  });
});

describe('a donation that was shown to nobody', () => {
  const SHOW_BY = DEADLINE - 1000;
  const unshown: InvoiceFacts = { ...order, type: 'donation', expectedAmount: null, showByMs: SHOW_BY };
  const decide = (payments: PaymentFacts[], nowMs: number, chain = fresh) =>
    arrows(decideInvoiceStatus(unshown, payments, chain, nowMs));

  test('expires when the time to show it is over, not earlier', () => {
    expect(decide([], SHOW_BY)).toEqual([]);
    expect(decide([], SHOW_BY + 1)).toEqual(['new > expired invoice.expired']);
  });

  test('never expires early while a payment is recorded for it, even a void one', () => {
    expect(decide([pay('a', { firstSeenMs: SHOW_BY + 1 })], SHOW_BY + 2)).toEqual(['new > pending']);
    expect(decide([pay('a', lost)], SHOW_BY + 1)).toEqual([]);
    expect(decide([pay('a', lost)], AFTER)).toEqual(['new > expired invoice.expired']);
  });

  test('waits while the view of the chain is stale', () => {
    expect(decide([], AFTER, stale)).toEqual([]);
  });

  test('keeps its whole time to pay once it was shown', () => {
    const shown = decideInvoiceStatus({ ...unshown, showByMs: null }, [], fresh, SHOW_BY + 1);
    expect(arrows(shown)).toEqual([]);
  });
});

describe('several things at once', () => {
  test('expiry and late payment are reported in one decision if both are known', () => {
    const decision = decideInvoiceStatus(order, [pay('a', { ...late, ...deep })], fresh, AFTER);
    expect(arrows(decision)).toEqual([
      'new > expired invoice.expired',
      'expired > late_payment invoice.late_payment a',
    ]);
  });

  test('the outcome counts all payments in time that are confirmed by then; late ones are reported separately', () => {
    const payments = [
      pay('a', deep),
      pay('b', { ...deep, ...half }),
      pay('c', { ...deep, ...late }),
      pay('d', shallow),
    ];
    const decision = decideInvoiceStatus({ ...order, status: 'pending' }, payments, fresh, AFTER);
    expect(decision.steps.map((step) => step.counted)).toEqual([['a:0', 'b:0'], ['c:0']]);
    expect(arrows(decision)).toEqual([
      'pending > confirmed invoice.confirmed',
      'confirmed > confirmed invoice.late_payment c',
    ]);
  });

  test('two late transactions give two steps ordered by block and txid, whatever the input order', () => {
    const b = pay('b', { ...late, blockHeight: 50 });
    const c = pay('c', { ...late, blockHeight: 40 });
    const a = pay('a', { ...late, blockHeight: 50 });
    for (const payments of [
      [a, b, c],
      [c, b, a],
      [b, a, c],
    ]) {
      expect(arrows(decideInvoiceStatus({ ...order, status: 'expired' }, payments, fresh, AFTER))).toEqual([
        'expired > late_payment invoice.late_payment c',
        'late_payment > late_payment invoice.late_payment a',
        'late_payment > late_payment invoice.late_payment b',
      ]);
    }
  });

  test('two outputs of one late transaction are one event that counts both', () => {
    const outputs = [0, 1].map((vout) => pay('a', { ...late, ...deep, vout }));
    const { steps } = decideInvoiceStatus({ ...order, status: 'expired' }, outputs, fresh, AFTER);
    expect(steps).toMatchObject([{ txid: 'a', counted: ['a:0', 'a:1'] }]);
  });
});

describe('what is paid in full', () => {
  test.each<[string, Partial<InvoiceFacts>, bigint, boolean]>([
    ['an order by its amount', {}, 1000n, true],
    ['an order not by a unit less', {}, 999n, false],
    ['an order by the least amount there is', { expectedAmount: 1n }, 1n, true],
    ['a large order not by a unit less', { expectedAmount: 10n ** 15n }, 10n ** 15n - 1n, false],
    ['an order by its amount less the tolerance', { toleranceBps: 100 }, 990n, true],
    ['an order not by less than the tolerance allows', { toleranceBps: 100 }, 989n, false],
    ['an order never by nothing', { toleranceBps: 10_000 }, 0n, false],
    ['a donation by any amount, whatever it asked for', { type: 'donation' }, 1n, true],
    ['a donation never by nothing', { type: 'donation', expectedAmount: null }, 0n, false],
  ])('%s', (_title, over, amount, expected) => {
    expect(isPaidInFull({ ...order, ...over }, amount)).toBe(expected);
  });
});

function decideAfter(payments: PaymentFacts[]): Decision {
  return decideInvoiceStatus({ ...order, status: 'confirmed' }, payments, fresh, AFTER);
}

describe('reversed', () => {
  const victim = pay('a', { ...lost, ...counted, spends: ['x:0'] });

  test('a conflict in a block reverses the payment; the reported outcome stays', () => {
    expect(decideAfter([victim])).toEqual({ status: 'confirmed', isReversed: true, steps: [] });
  });

  test.each<[string, PaymentFacts[], boolean]>([
    [
      'a conflict that is only in a mempool reverses nothing',
      [{ ...victim, conflictsSettled: false }],
      false,
    ],
    ['a counted payment that only lost its block is not reversed', [pay('a', counted)], false],
    ['what was never counted cannot be reversed', [pay('a', lost)], false],
    ['a counted payment back in a block is not reversed', [{ ...victim, blockHeight: TIP }], false],
    ['a fee bump that pays as much', [victim, pay('b', { ...deep, spends: ['x:0'] })], false],
    ['a fee bump that is not yet deep', [victim, pay('b', { ...shallow, spends: ['x:0'] })], true],
    [
      'a fee bump that waits for a second source',
      [victim, pay('b', { ...deep, spends: ['x:0'], isWithheld: true })],
      false,
    ],
    [
      'a fee bump that drops a coin',
      [{ ...victim, spends: ['x:0', 'y:0'] }, pay('b', { ...deep, spends: ['x:0'] })],
      false,
    ],
    [
      'two payments, each replaced by one that pays as much',
      [
        victim,
        pay('c', { ...lost, ...counted, spends: ['y:0'] }),
        pay('b', { ...deep, spends: ['x:0'] }),
        pay('d', { ...deep, spends: ['y:0'] }),
      ],
      false,
    ],
    ['a replacement that pays less', [victim, pay('b', { ...deep, ...half, spends: ['x:0'] })], true],
    ['an unrelated payment', [victim, pay('b', { ...deep, ...counted })], true],
    [
      'one replacement for two payments must pay both',
      [
        victim,
        pay('c', { ...lost, ...counted, spends: ['y:0'] }),
        pay('b', { ...deep, spends: ['x:0', 'y:0'] }),
      ],
      true,
    ],
    [
      'one replacement that pays both',
      [
        victim,
        pay('c', { ...lost, ...counted, spends: ['y:0'] }),
        pay('b', { ...deep, amount: 2000n, spends: ['x:0', 'y:0'] }),
      ],
      false,
    ],
  ])('%s', (_title, payments, expected) => {
    expect(decideAfter(payments).isReversed).toBe(expected);
  });
});
