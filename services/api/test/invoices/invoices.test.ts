import { beforeEach, describe, expect, test } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  startApi,
  type TestAccount,
} from '../support/api.ts';
import { endSubscription, followChain, openWallet } from '../support/wallet.ts';

const ORDER = { currency: 'BTC', type: 'order', expected_amount: '150000' };

const api = await sharedApi();
let account: TestAccount;
let apiKey: string;
beforeEach(async () => {
  account = await openAccount(api);
  apiKey = await openApiKey(api, account, 'invoices');
  await openWallet(api, account);
});

describe('POST /v1/invoices', () => {
  test('201: the invoice with its address, page and URI, expiring after an hour', async () => {
    const response = await create({ ...ORDER, order_id: 'A-1', return_url: 'https://shop.example/thanks' });
    expectAnswer(response, 'createInvoice', 201);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.body).toMatchObject({
      status: 'new',
      order_id: 'A-1',
      return_url: 'https://shop.example/thanks',
      expected_amount: '150000',
      due_amount: '150000',
      confirmations_required: 1,
      ttl_seconds: 3600,
      version: 1,
      pay_url: `https://pay.example/pay/${response.body.public_id}`,
      payment_uri: `bitcoin:${response.body.address}?amount=0.0015`,
    });
    expect(Date.parse(response.body.expires_at) - Date.parse(response.body.created_at)).toBe(3_600_000);
  });

  test('201: a donation of any amount, with its donor, for half an hour', async () => {
    const response = await create({
      currency: 'BTC',
      type: 'donation',
      donor_name: 'Ann',
      donor_message: 'Hi',
    });
    expectAnswer(response, 'createInvoice', 201);
    expect(response.body).toMatchObject({
      ttl_seconds: 1800,
      due_amount: null,
      donor_name: 'Ann',
      donor_message: 'Hi',
    });
    expect(response.body.address_index % 2).toBe(0);
  });

  test('201: confirmations rise with the amount', async () => {
    const tiers = [
      ['999999', 1],
      ['1000000', 2],
      ['100000000', 3],
      ['1000000000', 6],
    ] as const;
    for (const [expected_amount, confirmations] of tiers) {
      expect((await create({ ...ORDER, expected_amount })).body.confirmations_required).toBe(confirmations);
    }
  });

  test('201: a session creates for its own project', async () => {
    const response = await api.call('post', '/v1/invoices', { session: account.session, body: ORDER });
    expectAnswer(response, 'createInvoice', 201);
  });

  test('200: a repeat by order_id or key, marked as such, even with another body', async () => {
    const first = await create({ ...ORDER, order_id: 'A-1' }, 'K-1');
    const same = await create({ order_id: 'A-1', ...ORDER, return_url: null }, 'K-1');
    expectAnswer(same, 'createInvoice', 200);
    expect(same.body.public_id).toBe(first.body.public_id);
    expect(same.headers['idempotent-replayed']).toBe('true');
    expect(same.headers['idempotency-mismatch']).toBeUndefined();
    for (const other of [
      await create(ORDER, 'K-1'),
      await create({ ...ORDER, order_id: 'A-1', ttl_seconds: 60 }),
    ]) {
      expectAnswer(other, 'createInvoice', 200);
      expect(other.body.public_id).toBe(first.body.public_id);
      expect(other.headers['idempotency-mismatch']).toBe('true');
    }
  });

  test('200: every repeat with a new key; from the 101st on the key is not stored', async () => {
    const body = { ...ORDER, order_id: 'A-1' };
    const first = await create(body);
    const replayed = { status: 200, body: { public_id: first.body.public_id } };
    for (let at = 1; at <= 102; at += 1) expect(await create(body, `K-${at}`)).toMatchObject(replayed);
    expect(await create(ORDER, 'K-100')).toMatchObject(replayed);
    expect(await create(ORDER, 'K-101')).toMatchObject({ status: 201 });
  });

  test('200: a repeat, although the subscription ended and the wallet is gone', async () => {
    const first = await create({ ...ORDER, order_id: 'A-1' });
    await endSubscription(api, account);
    await api.store.sql`update wallets set status = 'unverified' where project_id = ${account.projectId}`;
    const again = await create({ ...ORDER, order_id: 'A-1' });
    expectAnswer(again, 'createInvoice', 200);
    expect(again.body.public_id).toBe(first.body.public_id);
  });

  test('50 identical requests at two replicas: one 201, 49 times 200, one invoice', async () => {
    const other = await startApi({ beside: api });
    const body = { ...ORDER, order_id: 'A-1' };
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? api : other).call('post', '/v1/invoices', { apiKey, body }),
      ),
    );
    const statuses = responses.map((response) => response.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(49).fill(200), 201]);
    expect(new Set(responses.map((response) => response.body.public_id)).size).toBe(1);
    await other.close();
  });

  test('401: a key that was revoked at another replica', async () => {
    await create(ORDER);
    await api.store.sql`update api_keys set revoked_at = now() where project_id = ${account.projectId}`;
    expectProblem(await create(ORDER), 401, 'unauthorized');
  });

  test('402 comes before 422 and 503, and after the body', async () => {
    await endSubscription(api, account);
    await api.store.sql`update wallets set status = 'unverified' where project_id = ${account.projectId}`;
    expectProblem(await create(ORDER), 402, 'subscription_inactive');
    expectProblem(await create({ ...ORDER, expected_amount: '1' }), 422, 'validation_error');
  });

  test('409: the key and the order_id name different invoices', async () => {
    await create({ ...ORDER, order_id: 'A-1' }, 'K-1');
    await create({ ...ORDER, order_id: 'A-2' }, 'K-2');
    expectProblem(await create({ ...ORDER, order_id: 'A-1' }, 'K-2'), 409, 'idempotency_conflict');
  });

  test('422: names every wrong field, including unknown ones', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ ...ORDER, currency: 'DOGE' }, 'body.currency'],
      [{ ...ORDER, type: 'gift' }, 'body.type'],
      [{ currency: 'BTC', type: 'order' }, 'body.expected_amount'],
      [{ ...ORDER, expected_amount: '545' }, 'body.expected_amount'],
      [{ ...ORDER, expected_amount: '2100000000000001' }, 'body.expected_amount'],
      [{ ...ORDER, expected_amount: 150_000 }, 'body.expected_amount'],
      [{ ...ORDER, ttl_seconds: 59 }, 'body.ttl_seconds'],
      [{ ...ORDER, ttl_seconds: 86_401 }, 'body.ttl_seconds'],
      [{ ...ORDER, order_id: 'x'.repeat(201) }, 'body.order_id'],
      [{ ...ORDER, return_url: 'http://shop.example' }, 'body.return_url'],
      [{ ...ORDER, donor_name: 'Ann' }, 'body.donor_name'],
      [{ ...ORDER, amount: '1' }, 'body.amount'],
    ];
    for (const [body, path] of cases) {
      const response = await create(body);
      expectProblem(response, 422, 'validation_error');
      expect(
        response.body.errors.map((error: { path: string }) => error.path),
        path,
      ).toContain(path);
    }
    expectProblem(await create(ORDER, 'k'.repeat(201)), 422, 'validation_error');
  });

  test('422: no verified wallet of the currency, or a currency that is not offered', async () => {
    expectProblem(await create({ ...ORDER, currency: 'LTC' }), 422, 'wallet_not_verified');
    const bitcoinOnly = await startApi({ beside: api, env: { LTC_NODE_URL: '' } });
    const response = await bitcoinOnly.call('post', '/v1/invoices', {
      apiKey,
      body: { ...ORDER, currency: 'LTC' },
    });
    expectProblem(response, 422, 'validation_error');
    await bitcoinOnly.close();
  });

  test('503 when the pool is empty, with the time until an address is free', async () => {
    await followChain(api);
    await api.store.sql`delete from wallets where project_id = ${account.projectId}`;
    const poolId = await openWallet(api, account, { gapLimit: 2 });
    await create(ORDER);
    const retryAfter = async () => {
      const refused = await create(ORDER);
      expectProblem(refused, 503, 'address_pool_busy');
      return Number(refused.headers['retry-after']);
    };
    // Held by an open invoice: it may be paid, or not.
    expect(await retryAfter()).toBe(60);
    const releaseAgo = (ago: string) => api.store.sql`
      update pool_addresses set state = 'free', released_at = now() - ${ago}::interval where pool_id = ${poolId}`;
    // The pool is dry: the rest of an hour counts, not that of a day.
    await releaseAgo('3555 seconds');
    expect(await retryAfter()).toBeGreaterThanOrEqual(40);
    expect(await retryAfter()).toBeLessThanOrEqual(45);
    await releaseAgo('0 seconds');
    expect(await retryAfter()).toBe(120);
    await api.store.sql`update chains set stale_since = now() where currency = 'BTC'`;
    expect(await retryAfter()).toBe(60);
    await api.store.sql`update chains set stale_since = null where currency = 'BTC'`;
    await releaseAgo('3601 seconds');
    await api.store.sql`update address_leases set released_at = now() where pool_id = ${poolId}`;
    expect((await create(ORDER)).body).toMatchObject({ address_reused: true });
  });
});

describe('GET /v1/invoices', () => {
  test('200: pages newest first, and filters', async () => {
    for (const order_id of ['A-1', 'A-2', 'A-3']) await create({ ...ORDER, order_id });
    const first = await list('limit=2');
    expectAnswer(first, 'listInvoices', 200);
    expect(ordersOf(first)).toEqual(['A-3', 'A-2']);
    const second = await list(`limit=2&cursor=${first.body.next_cursor}`);
    expect(ordersOf(second)).toEqual(['A-1']);
    expect(second.body.next_cursor).toBeNull();
    expect(ordersOf(await list('order_id=A-2&status=new&type=order&currency=BTC&reversed=false'))).toEqual([
      'A-2',
    ]);
    expect(ordersOf(await list('status=confirmed'))).toEqual([]);
    expect(ordersOf(await list(`created_to=${new Date(Date.now() - 60_000).toISOString()}`))).toEqual([]);
  });

  test('200: a search by any part of what names an invoice', async () => {
    const shoes = (await create({ ...ORDER, order_id: 'Shoes-17' })).body;
    const hat = (await create({ ...ORDER, order_id: 'Hat-18', expected_amount: '250000' })).body;
    const searches: [string, string[]][] = [
      ['shoes', ['Shoes-17']],
      ['-1', ['Hat-18', 'Shoes-17']],
      ['0.0025', ['Hat-18']],
      ['0.00250', ['Hat-18']],
      ['99999999999999999999999999999999', []],
      [hat.public_id, ['Hat-18']],
      [shoes.address, ['Shoes-17']],
      [shoes.address.slice(1), ['Shoes-17']],
      ['ab'.repeat(32), []],
      ['%%', []],
    ];
    for (const [text, orders] of searches) {
      const response = await list(`search=${encodeURIComponent(text)}`);
      expectAnswer(response, 'listInvoices', 200);
      expect(ordersOf(response), text).toEqual(orders);
    }
    expect(ordersOf(await list('search=-1&limit=1'))).toEqual(['Hat-18']);
    expect(ordersOf(await list(`search=-1&limit=1&cursor=${hat.public_id}`))).toEqual(['Shoes-17']);
    expect(ordersOf(await list('search=shoes&status=confirmed'))).toEqual([]);
  });

  test('another project sees none of them', async () => {
    const { body } = await create(ORDER);
    const other = await openAccount(api);
    const response = await api.call('get', '/v1/invoices', { session: other.session });
    expect(response.body).toEqual({ data: [], next_cursor: null });
    for (const text of [body.public_id, body.address]) {
      const found = await api.call('get', `/v1/invoices?search=${text}`, { session: other.session });
      expect(found.body).toEqual({ data: [], next_cursor: null });
    }
  });

  test('422: an invalid cursor, limit or filter', async () => {
    for (const query of [
      'cursor=inv_unknown',
      'limit=0',
      'limit=101',
      'status=paid',
      'search=a',
      `search=${'a'.repeat(101)}`,
      'search=ab&cursor=inv_unknown',
      'created_from=yesterday',
      'colour=red',
    ]) {
      expectProblem(await list(query), 422, 'validation_error');
    }
  });
});

describe('GET /v1/invoices/{publicId} and its public view', () => {
  test('200: the owner’s view; the public view without the merchant’s fields', async () => {
    const { body } = await create({ ...ORDER, order_id: 'A-1' });
    const owner = await api.call('get', `/v1/invoices/${body.public_id}`, { apiKey });
    expectAnswer(owner, 'getInvoice', 200);
    const payer = await api.call('get', `/v1/public/invoices/${body.public_id}`);
    expectAnswer(payer, 'getPublicInvoice', 200);
    expect(payer.headers['access-control-allow-origin']).toBe('*');
    expect(payer.headers['cache-control']).toBe('no-store');
    expect(payer.body).toMatchObject({ network: 'mainnet', chain_delayed: true, project_name: null });
    expect(Object.keys(payer.body)).not.toEqual(expect.arrayContaining(['order_id']));
  });

  test('404: the same for unknown and malformed ids and another project’s invoice', async () => {
    const { body } = await create(ORDER);
    const other = await openAccount(api);
    const paths = [`/v1/invoices/${body.public_id}`, '/v1/invoices/inv_1111111111111111', '/v1/invoices/x'];
    for (const path of paths) {
      expectProblem(await api.call('get', path, { session: other.session }), 404, 'invoice_not_found');
    }
    expectProblem(
      await api.call('get', '/v1/public/invoices/inv_1111111111111111'),
      404,
      'invoice_not_found',
    );
  });
});

describe('POST /v1/invoices/{publicId}/extend', () => {
  test('200 once, then 409 already_extended, in any state', async () => {
    const { body } = await create(ORDER);
    const extended = await extend(body.public_id);
    expectAnswer(extended, 'extendInvoice', 200);
    expect(Date.parse(extended.body.expires_at) - Date.parse(body.expires_at)).toBe(900_000);
    expect(extended.body).toMatchObject({ extended: true, version: 2 });
    expectProblem(await extend(body.public_id), 409, 'already_extended');
    await api.store.sql`update invoices set status = 'expired' where public_id = ${body.public_id}`;
    expectProblem(await extend(body.public_id), 409, 'already_extended');
  });

  test('409 invoice_not_extendable after the outcome, 404 for another project', async () => {
    const { body } = await create(ORDER);
    const other = await openAccount(api);
    const foreign = await api.call('post', `/v1/invoices/${body.public_id}/extend`, {
      session: other.session,
    });
    expectProblem(foreign, 404, 'invoice_not_found');
    await api.store.sql`update invoices set status = 'confirmed' where public_id = ${body.public_id}`;
    expectProblem(await extend(body.public_id), 409, 'invoice_not_extendable');
  });
});

function create(body: unknown, idempotencyKey?: string) {
  const call = api.call('post', '/v1/invoices', { apiKey, body });
  return idempotencyKey === undefined ? call : call.set('Idempotency-Key', idempotencyKey);
}

function list(query: string) {
  return api.call('get', `/v1/invoices?${query}`, { apiKey });
}

function extend(publicId: string) {
  return api.call('post', `/v1/invoices/${publicId}/extend`, { apiKey });
}

function ordersOf(response: { body: { data: { order_id: string }[] } }): string[] {
  return response.body.data.map((invoice) => invoice.order_id);
}
