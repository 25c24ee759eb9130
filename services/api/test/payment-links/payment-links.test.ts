import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  type TestAccount,
} from '../support/api.ts';
import { buyBy, openLink, readPublicLink, tokenOf } from '../support/payment-links.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi({
  env: { DONATION_LIMIT_POINTS: '10000', PROJECT_CHANGE_LIMIT_POINTS: '10000' },
});
let account: TestAccount;

beforeEach(async () => {
  account = await openAccount(api);
  await openWallet(api, account);
});

test('a link is created with its defaults, and read alone and in the list by session and key', async () => {
  const body = { title: 'Coffee' };
  const created = await call('post', '', body);
  expectAnswer(created, 'createPaymentLink', 201);
  expect(created.body).toMatchObject({
    title: 'Coffee',
    description: null,
    price: null,
    amount: null,
    currencies: null,
    single_use: false,
    stock: null,
    available: null,
    disabled: false,
    status: 'open',
    url: expect.stringMatching(/^https:\/\/pay\.example\/l\/[A-Za-z0-9_-]{22}$/),
  });
  const apiKey = await openApiKey(api, account, 'invoices');
  const { id } = created.body;
  expectAnswer(await api.call('get', `/v1/payment-links/${id}`, { apiKey }), 'getPaymentLink', 200);
  const second = await openLink(api, account);
  const list = await api.call('get', '/v1/payment-links', { apiKey });
  expectAnswer(list, 'listPaymentLinks', 200);
  expect(list.body.data).toEqual([second, created.body]);
});

test.each([
  [{ amount: '150000', currencies: null }, 'body.currencies'],
  [{ amount: '150000', currencies: ['BTC', 'LTC'] }, 'body.currencies'],
  [{ amount: '150000', price: { amount: '1.00', currency: 'EUR' } }, 'body.amount'],
  [{ amount: '1' }, 'body.amount'],
  [{ amount: null, price: { amount: '0.001', currency: 'EUR' } }, 'body.price'],
  [{ amount: null, price: { amount: '1.00', currency: 'CHF' } }, 'body.price.currency'],
  [{ stock: 5, single_use: true }, 'body.stock'],
  [{ stock: 0 }, 'body.stock'],
  [{ stock: 1001 }, 'body.stock'],
  [{ currencies: ['BTC', 'BTC'] }, 'body.currencies'],
  [{ title: '\u200b' }, 'body.title'],
  [{ return_url: 'http://shop.example/' }, 'body.return_url'],
])('terms that do not fit are refused, at the creation and at a change: %j', async (terms, path) => {
  const body = { title: 'Ticket', amount: '150000', currencies: ['BTC'], ...terms };
  const refused = await call('post', '', body);
  expectProblem(refused, 422, 'validation_error');
  expect(refused.body.errors[0].path).toMatch(new RegExp(`^${path.replaceAll('.', '\\.')}`));
  const link = await openLink(api, account, 'single_use' in terms ? { single_use: true } : {});
  const { single_use: _fixed, ...change } = { single_use: null, ...terms };
  expectProblem(await call('patch', `/${link.id}`, change), 422, 'validation_error');
  expect((await call('get', `/${link.id}`)).body).toEqual(link);
});

test.each([
  [{ amount: null, currencies: null }, true],
  [{ amount: null, currencies: null, price: { amount: null, currency: 'EUR' } }, true],
  [{ amount: null, currencies: null, single_use: true }, false],
  [{ amount: null, currencies: null, stock: 5 }, false],
  [{ amount: null, price: { amount: '5.00', currency: 'EUR' } }, false],
  [{}, false],
])('a link is a point of sale where its amount is open and it sells any number: %j', async (terms, isOne) => {
  const link = await openLink(api, account, terms);
  expect(link.pos_url).toBe(isOne ? link.url.replace('/l/', '/pos/') : null);
});

test('a change keeps what it does not name', async () => {
  const link = await openLink(api, account, { stock: 3, description: 'Front row' });
  const changed = await call('patch', `/${link.id}`, { title: 'Seat', stock: 5 });
  expectAnswer(changed, 'updatePaymentLink', 200);
  expect(changed.body).toEqual({ ...link, title: 'Seat', stock: 5, available: 5 });
  const price = { amount: '9.00', currency: 'EUR' };
  const priced = await call('patch', `/${link.id}`, { amount: null, price, currencies: null });
  expect(priced.body).toMatchObject({ amount: null, price, currencies: null, title: 'Seat' });
});

test('a project has at most 100 links, under concurrency too', async () => {
  await api.store.sql`
    insert into payment_links (public_id, project_id, token, title)
    select 'plink_' || ${account.projectId} || 'x' || n, ${account.projectId}, 'full' || ${account.projectId} || n, 'Link'
    from generate_series(1, 98) n`;
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => call('post', '', { title: 'One more' })),
  );
  const refused = responses.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(4);
  for (const response of refused) expectProblem(response, 409, 'too_many_payment_links');
});

test('another project can neither read nor change a link', async () => {
  const { id } = await openLink(api, account);
  const { session } = await openAccount(api);
  for (const [method, suffix, body] of [
    ['get', '', undefined],
    ['patch', '', { disabled: true }],
    ['delete', '', undefined],
    ['post', '/rotate-token', undefined],
  ] as const) {
    const path = `/v1/payment-links/${id}${suffix}`;
    expectProblem(await api.call(method, path, { session, body }), 404, 'payment_link_not_found');
  }
  expect((await call('get', `/${id}`)).status).toBe(200);
});

test('a rotated token ends: the old URL is unknown, the new one sells', async () => {
  const link = await openLink(api, account);
  const rotated = await call('post', `/${link.id}/rotate-token`);
  expectAnswer(rotated, 'rotatePaymentLinkToken', 200);
  expect({ ...rotated.body, url: link.url }).toEqual(link);
  expectProblem(await buyBy(api, link), 404, 'not_found');
  expectProblem(await api.call('get', `/v1/public/links/${tokenOf(link)}`), 404, 'not_found');
  expect((await buyBy(api, rotated.body)).status).toBe(201);
});

test('a deleted link is unknown to buyers; its invoices stay', async () => {
  const link = await openLink(api, account, { stock: 2 });
  const { body } = await buyBy(api, link).expect(201);
  expectAnswer(await call('delete', `/${link.id}`), 'deletePaymentLink', 200);
  expectProblem(await buyBy(api, link), 404, 'not_found');
  expectProblem(await call('get', `/${link.id}`), 404, 'payment_link_not_found');
  await api.call('get', `/v1/public/invoices/${body.public_id}`).expect(200);
});

test('every change is in the audit log, without the token', async () => {
  const link = await openLink(api, account, { return_url: 'https://shop.example/secret-path' });
  await call('patch', `/${link.id}`, { disabled: true });
  await call('post', `/${link.id}/rotate-token`);
  await call('delete', `/${link.id}`);
  const { body } = await api.call('get', '/v1/audit-log', { session: account.session }).expect(200);
  const lines = body.data.filter(({ action }: { action: string }) => action.startsWith('payment_link'));
  expect(lines.map(({ action }: { action: string }) => action)).toEqual([
    'payment_link.deleted',
    'payment_link.token_rotated',
    'payment_link.changed',
    'payment_link.created',
  ]);
  expect(JSON.stringify(lines)).not.toContain(tokenOf(link));
  expect(JSON.stringify(lines)).not.toContain('secret-path');
  expect(api.logLines.join('')).not.toContain(tokenOf(link));
});

describe('the public view', () => {
  test('names what a buyer needs, and nothing of the bookkeeping', async () => {
    const link = await openLink(api, account, { stock: 3 });
    const view = await api.call('get', `/v1/public/links/${tokenOf(link)}`);
    expectAnswer(view, 'getPublicPaymentLink', 200);
    expect(view.body).toEqual({
      project_name: null,
      branding: null,
      title: 'Concert ticket',
      description: null,
      price: null,
      amount: '150000',
      currencies: ['BTC'],
      single_use: false,
      available: 3,
      status: 'open',
      accepting: true,
    });
  });

  test('names only currencies with a verified wallet', async () => {
    const link = await openLink(api, account, { amount: null, currencies: null });
    expect(await readPublicLink(api, link)).toMatchObject({ currencies: ['BTC'] });
    await openWallet(api, account, { currency: 'LTC' });
    expect(await readPublicLink(api, link)).toMatchObject({ currencies: ['BTC', 'LTC'] });
  });
});

function call(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: unknown) {
  return api.call(method, `/v1/payment-links${path}`, { session: account.session, body });
}
