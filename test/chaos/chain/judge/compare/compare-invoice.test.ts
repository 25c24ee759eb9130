import { describe, expect, test } from 'vitest';
import {
  arrival,
  caseWith,
  event,
  hashOf,
  invoice,
  payment,
  publicView,
  viewAt,
} from '../../chain-case.fixture.ts';
import { invoiceViewSchema, publicInvoiceViewSchema } from '@paywatch/domain/contract';
import { compareInvoice, type Case } from './compare-invoice.ts';
import type { Answer } from '../decide-from-history.ts';
import type { OwnerView, ShownPayment } from '../../../lease/owner-view.ts';

const shownWith = (change: Partial<OwnerView>): Partial<Case> => {
  const shown = { ...invoice, ...change };
  return { shown, shownToPayers: publicView(shown) };
};
const withPayment = (change: Partial<ShownPayment>): Partial<Case> =>
  shownWith({ payments: [{ ...payment, ...change }] });

const confirmed: Answer = { status: 'confirmed', isReversed: false, events: ['invoice.confirmed'], late: [] };

test('the judge knows every field of the contract, so that a new one does not fail each invoice of a run', () => {
  const optional = new Set(['donate_url', 'link_url']);
  const names = Object.keys(publicInvoiceViewSchema.shape).filter((name) => !optional.has(name));
  expect(Object.keys(invoice).toSorted()).toEqual(Object.keys(invoiceViewSchema.shape).toSorted());
  expect(Object.keys(publicView(invoice)).toSorted()).toEqual(names.toSorted());
});

describe('what is compared of an invoice', () => {
  test('is the same where all is right, however often an event was delivered', () => {
    expect(compareInvoice(caseWith())).toEqual([]);
    expect(compareInvoice(caseWith({ arrived: [arrival(), arrival()] }))).toEqual([]);
  });

  test('may be any of several right answers', () => {
    const other: Answer = { ...confirmed, status: 'expired', events: ['invoice.expired'] };
    expect(compareInvoice(caseWith({ answers: [other, confirmed] }))).toEqual([]);
  });

  test.each<[string, Partial<Case>, RegExp]>([
    ['a status', shownWith({ status: 'pending' }), /"status":"pending"/],
    ['a reversal', shownWith({ reversed: true }), /"isReversed":true/],
    ['an event that never came', { arrived: [] }, /"events":\[\]/],
    [
      'an event under two ids',
      { arrived: [arrival(), arrival({ ...event, id: 'evt_2' })] },
      /2 event ids for 1/,
    ],
    ['a payment that is missing', shownWith({ payments: [] }), /payment missing: a+ 1/],
    ['a payment that does not exist', { money: [] }, /payment not there: a+ 1/],
    ['the amount of a payment', withPayment({ amount: '999' }), /payment not there/],
    ['the output of a payment', withPayment({ vout: 2 }), /payment not there/],
    ['the depth of a payment', withPayment({ confirmations: 3 }), /payment not there/],
    ['the height of a payment', withPayment({ block_height: 7 }), /payment not there/],
    ['the block of a payment', withPayment({ block_hash: hashOf('7') }), /payment not there/],
    ['the status of a payment', withPayment({ status: 'unconfirmed' }), /payment not there/],
    ['a payment called late', withPayment({ late: true }), /payment late true/],
    ['a payment called void', withPayment({ status: 'void' }), /void though it stands/],
    ['a payment that is nowhere called confirmed', { view: viewAt(null) }, /payment not there/],
    ['a sum', shownWith({ received_amount: '1001' }), /received_amount 1001, right is 1000/],
    ['a confirmed sum', shownWith({ confirmed_amount: '0' }), /confirmed_amount 0, right is 1000/],
    ['what is too much', shownWith({ overpaid_amount: '1' }), /overpaid_amount 1, right is 0/],
    ['what is due', shownWith({ due_amount: '5' }), /"due_amount":"5".*right is .*"due_amount":"0"/],
    [
      'a URI that asks after the outcome',
      shownWith({ payment_uri: 'bitcoin:x' }),
      /"payment_uri":"bitcoin:x"/,
    ],
    ['confirmations', shownWith({ confirmations: 4 }), /confirmations 4, right is 2/],
    ['an extension of nobody', shownWith({ extended: true }), /extended true, right is false/],
    ['a version below that of an event', shownWith({ version: 2 }), /version 2 after an event of version 3/],
    [
      'a field that is missing',
      { shown: { ...invoice, version: undefined } },
      /view of another form: version/,
    ],
    ['a field that nobody knows', { shown: { ...invoice, xpub: 'x' } }, /view of another form/],
    [
      'a time that is no timestamp',
      shownWith({ created_at: '2026-05-01' }),
      /view of another form: created_at/,
    ],
    [
      'what payers see',
      { shownToPayers: { ...publicView(invoice), received_amount: '1' } },
      /payers see received_amount "1"/,
    ],
    [
      "the shop's own bookkeeping in the payers' view",
      { shownToPayers: { ...publicView(invoice), order_id: 'order 7' } },
      /payers see order_id/,
    ],
    [
      'another network',
      { shownToPayers: { ...publicView(invoice), network: 'mainnet' } },
      /payers see another network/,
    ],
  ])('reports %s', (_title, change, difference) => {
    expect(compareInvoice(caseWith(change)).join('\n')).toMatch(difference);
  });

  test('does not mind the order of keys', () => {
    const lines = [{ amount: null, quantity: 2, name: 'Tea' }];
    expect(compareInvoice(caseWith({ shownToPayers: { ...publicView(invoice), lines } }))).toEqual([]);
  });
});

describe('what an open invoice asks for', () => {
  const open: Answer = { status: 'new', isReversed: false, events: [], late: [] };
  const asking = (change: Partial<OwnerView>, lastsMs = 10_000_000): Case => {
    const shown: OwnerView = {
      ...invoice,
      status: 'new',
      received_amount: '0',
      confirmed_amount: '0',
      due_amount: '1000',
      confirmations: 0,
      payment_uri: `bitcoin:${invoice.address}?amount=0.00001`,
      payments: [],
      ...change,
    };
    const given = caseWith({ shown, money: [], answers: [open], arrived: [], view: viewAt(null) });
    const endMs = given.terms.deadlineMs.earliest + lastsMs;
    return { ...given, terms: { ...given.terms, deadlineMs: { earliest: endMs, latest: endMs } } };
  };

  test('is what it was made for', () => {
    expect(compareInvoice(asking({}))).toEqual([]);
  });

  test.each<[string, Partial<OwnerView>]>([
    ['another sum', { due_amount: '999' }],
    ['a URI with another sum', { payment_uri: `bitcoin:${invoice.address}?amount=0.0001` }],
    ['a URI with another address', { payment_uri: 'bitcoin:bcrt1other?amount=0.00001' }],
    ['a URI of another currency', { payment_uri: `litecoin:${invoice.address}?amount=0.00001` }],
    ['no URI', { payment_uri: null }],
  ])('may not be %s', (_title, change) => {
    expect(compareInvoice(asking(change)).join()).toMatch(/right is .*"due_amount":"1000"/);
  });

  test('is nothing once the time to pay is over', () => {
    const over = asking({}, 0);
    expect(compareInvoice(over).join()).toMatch(/right is .*"due_amount":"0","payment_uri":null/);
  });
});
