import { describe, expect, test } from 'vitest';
import { compareInvoice, type Case, type Heard, type Shown } from './compare-invoice.ts';
import type { Answer, Money, Place } from './decide-from-history.ts';

const SCRIPT = '0014aa';
const paid: Money = {
  id: 'a',
  outputs: [{ vout: 1, amount: 1000n }],
  claims: ['coin:0'],
  sentMs: 1,
  isPegOut: false,
};
const right: Answer = { status: 'confirmed', isReversed: false, events: ['invoice.confirmed'], late: [] };
const shown: Shown = {
  status: 'confirmed',
  reversed: false,
  received_amount: '1000',
  confirmed_amount: '1000',
  overpaid_amount: '0',
  due_amount: '0',
  confirmations: 3,
  payments: [
    {
      txid: 'a',
      vout: 1,
      amount: '1000',
      status: 'confirmed',
      late: false,
      confirmations: 3,
      block_hash: 'h8',
    },
  ],
};
const told: Heard = { eventId: 'evt_1', type: 'invoice.confirmed', txids: [] };

function given(change: Partial<Case> & { place?: Place } = {}): Case {
  const { place = { height: 8, timeMs: 1 }, ...rest } = change;
  return {
    terms: {
      type: 'order',
      asked: 1000n,
      confirmationsRequired: 2,
      deadlineMs: { earliest: 100, latest: 100 },
    },
    scriptHex: SCRIPT,
    money: [paid],
    answers: [right],
    view: {
      fromMs: 0,
      toMs: 200,
      tipHeight: 10,
      places: new Map([['a', place]]),
      enteredMs: new Map(),
      taken: new Map(),
      calmMs: 200,
    },
    blocks: [{ hash: 'h8', height: 8, prevHash: 'h7', timeMs: 1, transactions: [] }],
    shown,
    heard: [told],
    ...rest,
  };
}

const withPayment = (change: Partial<Shown['payments'][number]>): Shown => ({
  ...shown,
  payments: shown.payments.map((payment) => ({ ...payment, ...change })),
});

describe('what is compared of an invoice', () => {
  test('is the same where all is right, however often an event was delivered', () => {
    expect(compareInvoice(given())).toEqual([]);
    expect(compareInvoice(given({ heard: [told, told] }))).toEqual([]);
  });

  test('may be any of several right answers', () => {
    const other: Answer = { ...right, status: 'expired', events: ['invoice.expired'] };
    expect(compareInvoice(given({ answers: [other, right] }))).toEqual([]);
  });

  test.each<[string, Partial<Case> & { place?: Place }, RegExp]>([
    ['a status', { shown: { ...shown, status: 'pending' } }, /"status":"pending"/],
    ['a reversal', { shown: { ...shown, reversed: true } }, /"isReversed":true/],
    ['an event that never came', { heard: [] }, /"events":\[\]/],
    [
      'an event too many',
      { heard: [told, { eventId: 'evt_2', type: 'invoice.late_payment', txids: ['a'] }] },
      /late_payment a/,
    ],
    ['an event under two ids', { heard: [told, { ...told, eventId: 'evt_2' }] }, /2 event ids for 1/],
    ['a payment that is missing', { shown: { ...shown, payments: [] } }, /payment missing: a 1/],
    ['a payment that does not exist', { money: [] }, /payment not there: a 1/],
    ['an amount', { shown: withPayment({ amount: '999' }) }, /payment not there/],
    ['a depth', { shown: withPayment({ confirmations: 2 }) }, /payment not there/],
    ['a block', { shown: withPayment({ block_hash: 'h9' }) }, /payment not there/],
    ['a payment called late', { shown: withPayment({ late: true }) }, /payment late true/],
    ['a payment called void', { shown: withPayment({ status: 'void' }) }, /void though it stands/],
    ['a payment that is nowhere called confirmed', { place: null }, /payment not there/],
    ['a sum', { shown: { ...shown, received_amount: '1001' } }, /received_amount 1001, right is 1000/],
    ['a confirmed sum', { shown: { ...shown, confirmed_amount: '0' } }, /confirmed_amount 0/],
    ['what is too much', { shown: { ...shown, overpaid_amount: '1' } }, /overpaid_amount 1/],
    ['what is due', { shown: { ...shown, due_amount: '5' } }, /due_amount 5, right is 0/],
    ['confirmations', { shown: { ...shown, confirmations: 4 } }, /confirmations 4, right is 3/],
  ])('tells %s', (_title, change, difference) => {
    expect(compareInvoice(given(change)).join('\n')).toMatch(difference);
  });
});
