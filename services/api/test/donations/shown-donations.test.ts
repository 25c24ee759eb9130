import { beforeEach, describe, expect, test } from 'vitest';
import { openAccount, openApiKey, sharedApi, type TestAccount } from '../support/api.ts';
import { openStream } from '../support/stream-client.ts';
import { openWallet } from '../support/wallet.ts';

const api = await sharedApi();
let account: TestAccount;
let publicId: string;

beforeEach(async () => {
  account = await openAccount(api);
  await openWallet(api, account, { gapLimit: 40 });
  publicId = await donate();
});

test('the response to a creation contains no address and marks none as shown', async () => {
  expect(await shownAt()).toBeNull();
});

describe('shown_at is written before the address is sent', () => {
  test('by the public view', async () => {
    const { body } = await api.call('get', `/v1/public/invoices/${publicId}`).expect(200);
    await expectShown(body.address);
  });

  test('by the event stream', async () => {
    const stream = await openStream(`${api.url}/v1/public/invoices/${publicId}/events`);
    await stream.received(1);
    await expectShown(String(stream.messages[0]?.data['address']));
    stream.close();
  });

  test('by the view of the owner, the list and an extension', async () => {
    const apiKey = await openApiKey(api, account);
    const single = await api.call('get', `/v1/invoices/${publicId}`, { apiKey }).expect(200);
    await expectShown(single.body.address);
    publicId = await donate();
    const list = await api.call('get', '/v1/invoices', { apiKey }).expect(200);
    await expectShown(list.body.data[0].address);
    publicId = await donate();
    const extended = await api.call('post', `/v1/invoices/${publicId}/extend`, { apiKey }).expect(200);
    await expectShown(extended.body.address);
  });

  test('by a creation of the owner, whose response contains it', async () => {
    const apiKey = await openApiKey(api, account);
    const body = { currency: 'BTC', type: 'donation' };
    const created = await api.call('post', '/v1/invoices', { apiKey, body }).expect(201);
    publicId = created.body.public_id;
    await expectShown(created.body.address);
  });
});

test('concurrent views show the same address, and shown_at is written once', async () => {
  const views = await Promise.all(Array.from({ length: 20 }, look));
  const first = await shownAt();
  expect(new Set(views.map(({ body }) => body.address)).size).toBe(1);
  await expectShown(views[0]?.body.address);
  await look();
  expect(await shownAt()).toEqual(first);
});

test('the page of an expired donation links to a new donation, unless the link was replaced', async () => {
  expect((await look()).body).not.toHaveProperty('donate_url');
  await api.store.sql`update invoices set status = 'expired', version = 2 where public_id = ${publicId}`;
  expect((await look()).body.donate_url).toBe(`https://pay.example/donate/${account.donateToken}`);
  await api.store.sql`update projects set donate_token = 'another' where id = ${account.projectId}`;
  expect((await look()).body).not.toHaveProperty('donate_url');
});

test('the view of a donation that expired unseen contains no address', async () => {
  await api.store.sql`update invoices set status = 'expired', version = 2 where public_id = ${publicId}`;
  const { body } = await api.call('get', `/v1/public/invoices/${publicId}`).expect(200);
  expect(body).toMatchObject({ status: 'expired', address: '', payment_uri: null });
  expect(await shownAt()).toBeNull();
});

function look() {
  return api.call('get', `/v1/public/invoices/${publicId}`).expect(200);
}

async function donate(): Promise<string> {
  const { body } = await api
    .call('post', `/v1/public/donate/${account.donateToken}`, { body: { currency: 'BTC' } })
    .expect(201);
  expect(Object.keys(body).toSorted()).toEqual(['pay_url', 'public_id']);
  return body.public_id;
}

async function shownAt(): Promise<Date | null> {
  const [row] = await api.store.sql<{ shown_at: Date | null }[]>`
    select shown_at from invoices where public_id = ${publicId}`;
  return row?.shown_at ?? null;
}

async function expectShown(address: string): Promise<void> {
  expect(address).toMatch(/^bc1q-/);
  expect(await shownAt()).not.toBeNull();
}
