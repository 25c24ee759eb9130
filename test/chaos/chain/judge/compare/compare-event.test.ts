import { describe, expect, test } from 'vitest';
import {
  arrival,
  blocks,
  caseWith,
  event,
  hashOf,
  invoice,
  money,
  payment,
} from '../../chain-case.fixture.ts';
import { compareEvents } from './compare-event.ts';
import type { Case } from './compare-invoice.ts';
import type { EventBody, OwnerView, ShownPayment } from '../../../lease/owner-view.ts';

const events = (bodies: readonly unknown[], change: Partial<Case> = {}): string =>
  compareEvents(caseWith({ ...change, arrived: bodies.map((body) => arrival(body)) })).join('\n');

const withInvoice = (change: Partial<OwnerView>, over: Partial<EventBody> = {}): EventBody => ({
  ...event,
  ...over,
  data: { ...event.data, invoice: { ...invoice, ...change } },
});
const withPayment = (change: Partial<ShownPayment>): EventBody =>
  withInvoice({ payments: [{ ...payment, ...change }] });

const late: EventBody = {
  ...event,
  id: 'evt_next',
  type: 'invoice.late_payment',
  created_at: '2026-05-01T12:00:40.500Z',
  data: { invoice: { ...invoice, version: 4 }, previous_status: 'confirmed', payments: [payment] },
};

const arrivedLater = (bodies: readonly unknown[], change: Partial<Case> = {}): string => {
  const arrived = bodies.map((body) => ({
    rawBody: JSON.stringify(body),
    receivedAtMs: Date.parse('2026-05-01T12:02:00Z'),
  }));
  return compareEvents(caseWith({ money: [], knownBlocks: new Map(), ...change, arrived })).join('\n');
};

describe('a webhook', () => {
  test('that is right has no differences, and neither has one that follows it', () => {
    expect(events([event])).toBe('');
    expect(events([event, late])).toBe('');
    expect(events([late, event])).toBe('');
  });

  test.each<[string, unknown, RegExp]>([
    ['id', { ...event, id: 'abc' }, /another form: id/],
    ['api_version', { ...event, api_version: '1.1' }, /another form: api_version/],
    ['type', { ...event, type: 'invoice.pending' }, /another form: type/],
    ['field too many', { ...event, test: true }, /another form/],
    ['created_at before the invoice', { ...event, created_at: '2026-05-01T11:59:59.000Z' }, /too early/],
    [
      'created_at after its arrival',
      { ...event, created_at: '2026-05-01T12:01:00.000Z' },
      /after its arrival/,
    ],
    [
      'previous_status',
      { ...event, data: { ...event.data, previous_status: 'expired' } },
      /previous_status expired, right is new or pending/,
    ],
    ['status', withInvoice({ status: 'underpaid' }), /with status underpaid, right is confirmed/],
    ['expected_amount', withInvoice({ expected_amount: '1' }), /expected_amount 1/],
    ['address', withInvoice({ address: 'x' }), /address x/],
    ['expires_at', withInvoice({ expires_at: '2026-05-01T12:01:31.000Z' }), /expires_at/],
    ['confirmations_required', withInvoice({ confirmations_required: 3 }), /confirmations_required 3/],
    ['received_amount', withInvoice({ received_amount: '2' }), /received_amount 2, right is 1000/],
    ['confirmed_amount', withInvoice({ confirmed_amount: '2' }), /confirmed_amount 2/],
    ['overpaid_amount', withInvoice({ overpaid_amount: '2' }), /overpaid_amount 2/],
    ['due_amount', withInvoice({ due_amount: '2' }), /"due_amount":"2"/],
    ['payment_uri', withInvoice({ payment_uri: 'bitcoin:x' }), /"payment_uri":"bitcoin:x"/],
    ['confirmations', withInvoice({ confirmations: 1 }), /confirmations 1, right is 2/],
    ['reversed', withInvoice({ reversed: true }), /reversed true/],
    ['payments that are missing', withInvoice({ payments: [] }), /does not pay it/],
    ['payments of an outcome', { ...event, data: { ...event.data, payments: [payment] } }, /another event/],
    ['amount of a payment', withPayment({ amount: '999' }), /pays another amount/],
    ['output of a payment', withPayment({ vout: 0 }), /payment not in that block/],
    ['transaction of a payment', withPayment({ txid: hashOf('b') }), /payment missing: a+:1/],
    ['depth of a payment', withPayment({ confirmations: 3 }), /no block at height 10 was ever there/],
    ['height of a payment', withPayment({ block_height: 7, confirmations: 3 }), /payment not in that block/],
    ['block of a payment', withPayment({ block_hash: hashOf('9') }), /payment not in that block/],
    ['block without a depth', withPayment({ block_height: null, confirmations: 0 }), /contradict each other/],
    ['status of a payment', withPayment({ status: 'unconfirmed' }), /unconfirmed, right is confirmed/],
    ['payment void without a conflict', withPayment({ status: 'void' }), /nothing conflicts with it/],
    ['lateness', withPayment({ late: true }), /late true, first seen/],
    ['first_seen_at', withPayment({ first_seen_at: '2026-05-01T12:00:10.000Z' }), /before it was sent/],
    [
      'first_seen_at after the event',
      withPayment({ first_seen_at: '2026-05-01T12:00:50.000Z' }),
      /before it was sent, or after the event/,
    ],
  ])('reports a wrong %s', (_title, body, difference) => {
    expect(events([body])).toMatch(difference);
  });

  test('reports two bodies of one id', () => {
    expect(events([event, withInvoice({ version: 5 })])).toMatch(/delivered with two bodies/);
  });

  test('reports versions that do not grow, times that run back and a status that jumps', () => {
    const same = { ...late, data: { ...late.data, invoice } };
    expect(events([event, same])).toMatch(/version 3 twice/);
    expect(events([event, { ...late, created_at: '2026-05-01T12:00:39.000Z' }])).toMatch(
      /before the last one/,
    );
    const jumped = { ...late, data: { ...late.data, previous_status: 'expired' } };
    expect(events([event, jumped])).toMatch(/previous_status expired, right is confirmed/);
  });

  test('reports a late payment that names other outputs, none, or what is not confirmed', () => {
    const naming = (payments: ShownPayment[] | undefined) => ({ ...late, data: { ...late.data, payments } });
    expect(events([event, naming([{ ...payment, vout: 2 }])])).toMatch(/not those of one transaction/);
    expect(events([event, naming(undefined)])).toMatch(/names none/);
    const open = {
      ...payment,
      status: 'unconfirmed',
      confirmations: 0,
      block_hash: null,
      block_height: null,
    } as const;
    const unconfirmed = { ...late.data, invoice: { ...invoice, payments: [open] }, payments: [open] };
    expect(events([event, { ...late, data: unconfirmed }])).toMatch(/a late payment that is not confirmed/);
  });

  test('reports payments of one moment that lie at tips of their own', () => {
    const second = { ...money, id: hashOf('c'), claims: ['coin:1'] };
    const payments = [payment, { ...payment, txid: second.id, confirmations: 1 }];
    expect(events([withInvoice({ payments })], { money: [money, second] })).toMatch(
      /depths of several tips: 9,8/,
    );
  });

  test('takes the branch that explains it, and reports a payment of that branch which is missing', () => {
    const other = blocks.map((block) =>
      block.height === 9 ? { ...block, hash: hashOf('f'), transactions: twice(blocks[0]) } : block,
    );
    const knownBlocks = new Map([...blocks, ...other].map((block) => [block.hash, block]));
    expect(events([event], { knownBlocks })).toBe('');
    const only = new Map(other.map((block) => [block.hash, block]));
    expect(events([event], { knownBlocks: only })).toMatch(/payment missing: d+:1/);
  });

  const end = (
    type: 'invoice.expired' | 'invoice.underpaid',
    change: Partial<OwnerView>,
    createdAt: string,
  ) => {
    const status = type === 'invoice.expired' ? 'expired' : 'underpaid';
    return [withInvoice({ status, ...change }, { type, created_at: createdAt })];
  };
  const nothing = { payments: [], received_amount: '0', confirmed_amount: '0', confirmations: 0 };
  test('of an end is right after the time to pay, and wrong before it', () => {
    expect(arrivedLater(end('invoice.expired', nothing, '2026-05-01T12:01:33.000Z'))).toBe('');
    expect(arrivedLater(end('invoice.expired', nothing, '2026-05-01T12:01:32.999Z'))).toMatch(/too early/);
    expect(arrivedLater(end('invoice.underpaid', nothing, '2026-05-01T12:01:32.999Z'))).toMatch(/too early/);
  });

  test('of an end is wrong where a payment in time stands, or where it falls short of nothing', () => {
    const paid = { money: [money], knownBlocks: new Map(blocks.map((block) => [block.hash, block])) };
    const after = '2026-05-01T12:01:40.000Z';
    expect(arrivedLater(end('invoice.expired', {}, after), paid)).toMatch(
      /expired, but a payment in time stands/,
    );
    expect(arrivedLater(end('invoice.underpaid', {}, after), paid)).toMatch(/underpaid, but its payments/);
    expect(arrivedLater(end('invoice.underpaid', nothing, after))).toMatch(/underpaid, but its payments/);
  });
});

function twice(block: (typeof blocks)[number] | undefined) {
  return (block?.transactions ?? []).map((transaction) => ({ ...transaction, txid: hashOf('d') }));
}
