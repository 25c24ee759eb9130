import { describe, expect, test } from 'vitest';
import { asksForMoney, invoiceAmounts, paymentState } from '../../src/invoices/invoice-amounts.ts';
import type { CountedPayment } from '../../src/invoices/invoice-amounts.ts';
import type { InvoiceFacts } from '../../src/invoices/invoice-status.ts';

const DEADLINE = 1_000_000;
const TIP = 100;
const order: InvoiceFacts = {
  type: 'order',
  status: 'pending',
  expectedAmount: 1000n,
  confirmationsRequired: 2,
  deadlineMs: DEADLINE,
  toleranceBps: 0,
};

/** A payment so many blocks deep; 0 is unconfirmed. */
function pay(amount: bigint, depth: number, over: Partial<CountedPayment> = {}): CountedPayment {
  const blockHeight = depth === 0 ? null : TIP - depth + 1;
  return { amount, firstSeenMs: DEADLINE - 1, blockHeight, isVoid: false, ...over };
}
const late = { firstSeenMs: DEADLINE + 1 };

function amounts(invoice: InvoiceFacts, payments: CountedPayment[], nowMs = DEADLINE - 1) {
  return invoiceAmounts(invoice, payments, TIP, nowMs);
}

describe('sums', () => {
  const payments = [
    pay(1n, 0),
    pay(20n, 1),
    pay(300n, 2),
    pay(4000n, 5, late),
    pay(50_000n, 0, late),
    pay(600_000n, 0, { isVoid: true }),
  ];

  test('received includes late and unconfirmed payments, and excludes void ones', () => {
    expect(amounts(order, payments).receivedAmount).toBe(54_321n);
  });

  test('confirmed and overpaid include only sufficiently deep payments, late ones too', () => {
    expect(amounts(order, payments)).toMatchObject({ confirmedAmount: 4300n, overpaidAmount: 3300n });
  });

  test('an invoice without an amount or without confirmations is never overpaid', () => {
    const open: InvoiceFacts = { ...order, type: 'donation', expectedAmount: null };
    expect(amounts(open, payments).overpaidAmount).toBe(0n);
    expect(amounts(order, [pay(5000n, 1)]).overpaidAmount).toBe(0n);
  });
});

describe('due', () => {
  test.each<[string, Partial<InvoiceFacts>, CountedPayment[], bigint | null]>([
    ['everything at first', {}, [], 1000n],
    ['the rest after a part, even unconfirmed', {}, [pay(400n, 0)], 600n],
    ['everything again when the part is void', {}, [pay(400n, 0, { isVoid: true })], 1000n],
    ['nothing once received in full', {}, [pay(1500n, 0)], 0n],
    ['nothing within the tolerance', { toleranceBps: 100 }, [pay(990n, 0)], 0n],
    ['null where nothing was asked for', { type: 'donation', expectedAmount: null }, [], null],
    ['what a donation asked for', { type: 'donation' }, [], 1000n],
    ['nothing of a donation that any amount covered', { type: 'donation' }, [pay(1n, 0)], 0n],
    ['nothing after the outcome, even when its money is gone', { status: 'confirmed' }, [], 0n],
  ])('%s', (_title, over, payments, due) => {
    expect(amounts({ ...order, ...over }, payments).dueAmount).toBe(due);
  });

  test('is nothing from the deadline on, and stays null without an amount', () => {
    expect(amounts(order, [], DEADLINE - 1).dueAmount).toBe(1000n);
    expect(amounts(order, [], DEADLINE).dueAmount).toBe(0n);
    expect(amounts({ ...order, expectedAmount: null }, [], DEADLINE).dueAmount).toBeNull();
    expect(asksForMoney(order, DEADLINE - 1)).toBe(true);
    expect(asksForMoney(order, DEADLINE)).toBe(false);
  });
});

describe('confirmations', () => {
  test.each<[string, Partial<InvoiceFacts>, CountedPayment[], number]>([
    ['0 without payments', {}, [], 0],
    ['0 while not covered, however deep', {}, [pay(999n, 9)], 0],
    ['0 while covered by an unconfirmed payment', {}, [pay(500n, 9), pay(500n, 0)], 0],
    ['the depth of a single payment, beyond what is required too', {}, [pay(1000n, 7)], 7],
    ['the shallowest that is needed', {}, [pay(500n, 1), pay(500n, 9)], 1],
    ['a shallow payment that is not needed does not count', {}, [pay(10n, 1), pay(500n, 3), pay(500n, 9)], 3],
    ['the tolerance covers', { toleranceBps: 100 }, [pay(990n, 4)], 4],
    ['the deepest payment of a donation covers it', { type: 'donation' }, [pay(1n, 2), pay(900n, 1)], 2],
    ['what is void covers nothing', {}, [pay(1000n, 0, { isVoid: true })], 0],
    ['late money covers nothing that is open', {}, [pay(1000n, 7, late)], 0],
    ['nor what expired or is underpaid', { status: 'expired' }, [pay(1000n, 7, late)], 0],
    [
      'reported late money counts, whatever arrives further',
      { status: 'late_payment' },
      [pay(1000n, 2, late), pay(1000n, 0, late)],
      2,
    ],
    [
      'a late payment completes one in time',
      { status: 'late_payment' },
      [pay(500n, 9), pay(500n, 2, late)],
      2,
    ],
    ['a late payment that is too little covers nothing', { status: 'late_payment' }, [pay(999n, 2, late)], 0],
  ])('%s', (_title, over, payments, depth) => {
    expect(amounts({ ...order, ...over }, payments).confirmations).toBe(depth);
  });
});

describe('the state of one payment', () => {
  test.each<[string, CountedPayment, object]>([
    ['in a mempool', pay(1n, 0), { status: 'unconfirmed', isLate: false, confirmations: 0 }],
    ['one block short', pay(1n, 1), { status: 'unconfirmed', isLate: false, confirmations: 1 }],
    ['deep enough', pay(1n, 2), { status: 'confirmed', isLate: false, confirmations: 2 }],
    ['late', pay(1n, 3, late), { status: 'confirmed', isLate: true, confirmations: 3 }],
    ['void', pay(1n, 0, { isVoid: true }), { status: 'void', isLate: false, confirmations: 0 }],
    [
      'back in a block',
      pay(1n, 1, { isVoid: true }),
      { status: 'unconfirmed', isLate: false, confirmations: 1 },
    ],
    [
      'in a block above the tip we know',
      pay(1n, -1),
      { status: 'unconfirmed', isLate: false, confirmations: 0 },
    ],
  ])('%s', (_title, payment, state) => {
    expect(paymentState(payment, order, TIP)).toEqual(state);
  });
});
