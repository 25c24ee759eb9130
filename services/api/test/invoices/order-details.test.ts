import { beforeEach, expect, test } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { storeRate } from '../support/rates.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({ env: { RATE_CURRENCIES: 'EUR,JPY' } });
const ORDER = { currency: 'BTC', type: 'order', expected_amount: '150000' };
const LINES = [{ name: 'Balcony, row 3', quantity: 2 }, { name: ' Programme\u202E ' }];

let account: TestAccount;
let apiKey: string;
beforeEach(async () => {
  account = await openAccount(api);
  apiKey = await openApiKey(api, account, 'invoices');
  await openWallet(api, account);
});

const create = (body: object) => api.call('post', '/v1/invoices', { apiKey, body });

test('payers and the owner see what an order is for, and where to get a new invoice', async () => {
  const body = {
    ...ORDER,
    order_id: 'A-1',
    description: 'Tickets <b>for</b> the concert',
    lines: LINES,
    renew_url: 'https://shop.example/orders/1/pay',
  };
  const created = await create(body);
  expectAnswer(created, 'createInvoice', 201);
  const details = {
    description: 'Tickets <b>for</b> the concert',
    lines: [
      { name: 'Balcony, row 3', quantity: 2, amount: null },
      { name: 'Programme', quantity: 1, amount: null },
    ],
    renew_url: 'https://shop.example/orders/1/pay',
  };
  expect(created.body).toMatchObject(details);
  const read = await api.call('get', `/v1/invoices/${created.body.public_id}`, { apiKey });
  expect(read.body).toMatchObject(details);
  const shown = await api.call('get', `/v1/public/invoices/${created.body.public_id}`);
  expectAnswer(shown, 'getPublicInvoice', 200);
  expect(shown.body).toMatchObject(details);
});

const ticketFor = (amount: string) => ({
  currency: 'BTC',
  type: 'order',
  order_id: 'A-2',
  price: { amount, currency: 'EUR' },
  lines: [{ name: 'Ticket', amount }],
});

test('amounts with other decimals are the same request', async () => {
  await storeRate(api, { currency: 'BTC', in: 'EUR' }, { rate: '50000' });
  expectAnswer(await create(ticketFor('20')), 'createInvoice', 201);
  const repeat = await create(ticketFor('20.00'));
  expect(repeat.status).toBe(200);
  expect(repeat.headers['idempotency-mismatch']).toBeUndefined();
});

test('a repeat answers the same order; other lines are another request', async () => {
  const body = { ...ORDER, order_id: 'A-1', lines: LINES };
  const first = await create(body);
  const repeat = await create(body);
  expect([repeat.status, repeat.body.public_id]).toEqual([200, first.body.public_id]);
  expect(repeat.headers['idempotency-mismatch']).toBeUndefined();
  const other = await create({ ...body, lines: [{ name: 'Balcony, row 3', quantity: 3 }] });
  expect(other.headers['idempotency-mismatch']).toBe('true');
  expect(other.body.lines).toEqual(first.body.lines);
});

test('the amounts of the lines are those of the price', async () => {
  await storeRate(api, { currency: 'BTC', in: 'EUR' }, { rate: '50000' });
  await storeRate(api, { currency: 'BTC', in: 'JPY' }, { rate: '9000000' });
  const priced = { currency: 'BTC', type: 'order', price: { amount: '20', currency: 'EUR' } };
  const fitting = await create({
    ...priced,
    lines: [
      { name: 'Tea', quantity: 4, amount: '12.5' },
      { name: 'Postage', amount: '7.50' },
    ],
  });
  expectAnswer(fitting, 'createInvoice', 201);
  expect(fitting.body.lines).toEqual([
    { name: 'Tea', quantity: 4, amount: '12.50' },
    { name: 'Postage', quantity: 1, amount: '7.50' },
  ]);
  for (const body of [
    { ...priced, lines: [{ name: 'Tea', amount: '19.99' }] },
    { ...priced, lines: [{ name: 'Tea', amount: '20' }, { name: 'Postage' }] },
    { ...priced, price: { amount: '20', currency: 'JPY' }, lines: [{ name: 'Tea', amount: '20.00' }] },
    { ...ORDER, lines: [{ name: 'Tea', amount: '20' }] },
  ]) {
    const refused = await create(body);
    expectProblem(refused, 422, 'validation_error');
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ path: 'body.lines' }));
  }
});

test.each([
  [{ description: 'x'.repeat(201) }, 'body.description'],
  [{ description: '\u200b' }, 'body.description'],
  [{ lines: [] }, 'body.lines'],
  [{ lines: Array.from({ length: 21 }, () => ({ name: 'x' })) }, 'body.lines'],
  [{ lines: [{ name: '' }] }, 'body.lines.0.name'],
  [{ lines: [{ name: 'x', quantity: 0 }] }, 'body.lines.0.quantity'],
  [{ lines: [{ name: 'x', quantity: 1.5 }] }, 'body.lines.0.quantity'],
  [{ lines: [{ name: 'x', amount: '-1' }] }, 'body.lines.0.amount'],
  [{ renew_url: 'http://shop.example' }, 'body.renew_url'],
  [{ renew_url: 'javascript:alert(1)' }, 'body.renew_url'],
])('what breaks the rules is refused (%#)', async (fields, path) => {
  const refused = await create({ ...ORDER, ...fields });
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors).toContainEqual(expect.objectContaining({ path }));
});

test.each([
  ['description', 'x'],
  ['lines', [{ name: 'x' }]],
  ['renew_url', 'https://shop.example'],
])('a donation has no %s', async (field, value) => {
  const refused = await create({ currency: 'BTC', type: 'donation', [field]: value });
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors).toContainEqual(expect.objectContaining({ path: `body.${field}` }));
});
