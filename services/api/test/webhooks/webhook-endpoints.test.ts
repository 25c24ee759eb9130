import { SealingError } from '@paywatch/runtime/security';
import { endpointSecretPlace } from '@paywatch/store/webhooks';
import { describe, expect, it } from 'vitest';
import { expectAnswer, expectProblem, openAccount, openApiKey, sharedApi } from '../support/api.ts';

const api = await sharedApi({ env: { WEBHOOK_ALLOWED_HOSTS: 'shop.test,books.test' } });
const PATH = '/v1/webhook-endpoints';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

async function openMerchant() {
  const account = await openAccount(api);
  const apiKey = await openApiKey(api, account);
  const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
    api.call(method, path, { apiKey, ...(body && { body }) });
  const add = async (body: object) => (await call('post', PATH, body)).body;
  return { account, apiKey, call, add };
}

const BOOKS = { url: 'https://books.test/hook', description: 'Books', event_types: ['invoice.confirmed'] };

describe('adding an endpoint', () => {
  it('returns its secret once, which is stored sealed for this endpoint', async () => {
    const { account, call } = await openMerchant();
    await call('post', '/v1/webhooks', { url: 'https://shop.test/' });
    const response = await call('post', PATH, BOOKS);
    expectAnswer(response, 'createWebhookEndpoint', 201);
    expect(response.body).toMatchObject({ ...BOOKS, first: false, status: 'untested', last_error: null });
    expect(response.body.secret).toMatch(SECRET);
    const list = await call('get', PATH);
    expectAnswer(list, 'listWebhookEndpoints', 200);
    expect(list.body.data.map(({ first }: { first: boolean }) => first)).toEqual([true, false]);
    expect(list.text).not.toContain(response.body.secret);
    const [row] = await api.store.sql<{ secret_sealed: Buffer }[]>`
      select secret_sealed from webhook_endpoints where public_id = ${response.body.id}`;
    const place = endpointSecretPlace(response.body.id);
    expect(api.dependencies.sealer.open(row?.secret_sealed ?? Buffer.alloc(0), place)).toBe(
      response.body.secret,
    );
    expect(() =>
      api.dependencies.sealer.open(
        row?.secret_sealed ?? Buffer.alloc(0),
        endpointSecretPlace(account.projectId),
      ),
    ).toThrow(SealingError);
  });

  it('makes it the first one of a project without endpoints, which POST /v1/webhooks then sets', async () => {
    const { account, call, add } = await openMerchant();
    const first = await add(BOOKS);
    expect(first.first).toBe(true);
    await call('post', '/v1/webhooks', { url: 'https://shop.test/new' });
    const { body } = await call('get', `${PATH}/${first.id}`);
    expect(body).toMatchObject({ ...BOOKS, url: 'https://shop.test/new' });
    const me = await api.call('get', '/v1/me', { session: account.session });
    expect(me.body.project.webhook.url).toBe('https://shop.test/new');
  });

  it('answers too_many_endpoints after ten', async () => {
    const { call } = await openMerchant();
    for (let count = 0; count < 10; count += 1) expect((await call('post', PATH, BOOKS)).status).toBe(201);
    expectProblem(await call('post', PATH, BOOKS), 409, 'too_many_endpoints');
    expect((await call('post', '/v1/webhooks', { url: 'https://shop.test/' })).status).toBe(201);
  });

  it.each([
    ['http', { url: 'http://books.test/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['no types', { url: BOOKS.url, event_types: [] }],
    ['an unknown type', { url: BOOKS.url, event_types: ['invoice.pending'] }],
    ['a long description', { url: BOOKS.url, description: 'x'.repeat(101) }],
  ])('refuses %s', async (_, body) => {
    const { call } = await openMerchant();
    expectProblem(await call('post', PATH, body), 422, 'validation_error');
  });
});

describe('changing an endpoint', () => {
  it('keeps what is left out, and the secret', async () => {
    const { call, add } = await openMerchant();
    const { id } = await add(BOOKS);
    const sealed = () => api.store.sql`select secret_sealed from webhook_endpoints where public_id = ${id}`;
    const before = await sealed();
    const changed = await call('patch', `${PATH}/${id}`, { url: 'https://shop.test/', event_types: null });
    expectAnswer(changed, 'updateWebhookEndpoint', 200);
    expect(changed.body).toMatchObject({
      url: 'https://shop.test/',
      description: 'Books',
      event_types: null,
    });
    expect(await sealed()).toEqual(before);
    const empty = await call('patch', `${PATH}/${id}`, {});
    expect(empty.body).toEqual(changed.body);
  });

  it('disables and enables it, and clears the description', async () => {
    const { call, add } = await openMerchant();
    const { id } = await add(BOOKS);
    const disabled = await call('patch', `${PATH}/${id}`, { disabled: true, description: '' });
    expect(disabled.body).toMatchObject({ status: 'disabled', description: null, last_error: null });
    expectProblem(await call('post', '/v1/webhooks/test', { endpoint_id: id }), 409, 'webhook_disabled');
    const enabled = await call('patch', `${PATH}/${id}`, { disabled: false });
    expect(enabled.body).toMatchObject({ status: 'untested' });
  });

  it('is written to the audit log without the path of the URL', async () => {
    const { account, call, add } = await openMerchant();
    const { id } = await add({ ...BOOKS, url: 'https://books.test/token-in-the-path' });
    await call('patch', `${PATH}/${id}`, { disabled: true });
    await call('post', `${PATH}/${id}/rotate-secret`);
    await call('delete', `${PATH}/${id}`);
    const log = await api.call('get', '/v1/audit-log', { session: account.session });
    expect(log.body.data.slice(0, 4)).toMatchObject([
      { action: 'webhook.deleted', details: { endpoint: id } },
      { action: 'webhook.secret_rotated' },
      { action: 'webhook.changed', after: { host: 'books.test', disabled: true } },
      { action: 'webhook.added', after: { host: 'books.test', event_types: ['invoice.confirmed'] } },
    ]);
    expect(log.text).not.toContain('token-in-the-path');
  });
});

describe('rotating a secret', () => {
  it('needs no URL, and returns the new one', async () => {
    const { call, add } = await openMerchant();
    const { id, secret, url } = await add(BOOKS);
    const rotated = await call('post', `${PATH}/${id}/rotate-secret`);
    expectAnswer(rotated, 'rotateWebhookSecret', 200);
    expect(rotated.body.secret).toMatch(SECRET);
    expect(rotated.body.secret).not.toBe(secret);
    expect(rotated.body.url).toBe(url);
  });
});

describe('deleting an endpoint', () => {
  it('returns it as it was, and then answers endpoint_not_found', async () => {
    const { call, add } = await openMerchant();
    const { id } = await add(BOOKS);
    const deleted = await call('delete', `${PATH}/${id}`);
    expectAnswer(deleted, 'deleteWebhookEndpoint', 200);
    expect(deleted.body).toMatchObject({ id, ...BOOKS });
    for (const [method, path] of [
      ['get', `${PATH}/${id}`],
      ['patch', `${PATH}/${id}`],
      ['delete', `${PATH}/${id}`],
      ['post', `${PATH}/${id}/rotate-secret`],
      ['get', `/v1/events?endpoint_id=${id}`],
    ] as const)
      expectProblem(await call(method, path, method === 'patch' ? {} : undefined), 404, 'endpoint_not_found');
  });
});

describe('the events of an endpoint', () => {
  it('are those that go to it, each with its own delivery; a test goes to the named endpoint alone', async () => {
    const { call, add } = await openMerchant();
    const first = await add({ url: 'https://shop.test/' });
    const books = await add(BOOKS);
    const sent = await call('post', '/v1/webhooks/test', { type: 'invoice.expired', endpoint_id: books.id });
    expectAnswer(sent, 'testWebhook', 202);
    const toFirst = await call('post', '/v1/webhooks/test', { type: 'invoice.expired' });
    const idsOf = async (endpoint: string) =>
      (await call('get', `/v1/events?endpoint_id=${endpoint}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await idsOf(books.id)).toEqual([sent.body.id]);
    expect(await idsOf(first.id)).toEqual([toFirst.body.id]);
    const { body } = await call('get', `/v1/events/${sent.body.id}`);
    expect(body.deliveries).toMatchObject([{ endpoint_id: books.id, status: 'pending', attempt_count: 0 }]);
  });

  it('are sent again to the named endpoint alone', async () => {
    const { call, add } = await openMerchant();
    const first = await add({ url: 'https://shop.test/' });
    const books = await add(BOOKS);
    const { body: event } = await call('post', '/v1/webhooks/test', { endpoint_id: first.id });
    const again = await call('post', `/v1/events/${event.id}/redeliver`, { endpoint_id: books.id });
    expectAnswer(again, 'redeliverEvent', 202);
    const { body } = await call('get', `/v1/events/${event.id}`);
    expect(body.deliveries.map((one: { endpoint_id: string }) => one.endpoint_id)).toEqual([
      first.id,
      books.id,
    ]);
  });

  it('of another project’s endpoint are not sent anything', async () => {
    const [mine, theirs] = [await openMerchant(), await openMerchant()];
    await mine.add(BOOKS);
    const { id } = await theirs.add(BOOKS);
    const { body: event } = await mine.call('post', '/v1/webhooks/test');
    for (const path of ['/v1/webhooks/test', `/v1/events/${event.id}/redeliver`])
      expectProblem(await mine.call('post', path, { endpoint_id: id }), 404, 'endpoint_not_found');
    expect((await theirs.call('get', `/v1/events?endpoint_id=${id}`)).body.data).toEqual([]);
  });
});

describe('replaying a time range', () => {
  it('schedules its events for this endpoint in batches, and says how many wait', async () => {
    const { call, add } = await openMerchant();
    const first = await add({ url: 'https://shop.test/' });
    const books = await add(BOOKS);
    const { body: event } = await call('post', '/v1/webhooks/test', { endpoint_id: first.id });
    const from = new Date(Date.now() - 60_000).toISOString();
    const replay = (body: object) => call('post', `${PATH}/${books.id}/replay`, { from, ...body });
    const response = await replay({});
    expectAnswer(response, 'replayWebhookEvents', 202);
    expect(response.body).toEqual({ scheduled: 1, waiting: 1, next_cursor: event.id });
    expect((await replay({ cursor: event.id })).body).toEqual({
      scheduled: 0,
      waiting: 1,
      next_cursor: null,
    });
    expect((await replay({ to: from })).body).toMatchObject({ scheduled: 0 });
    expectProblem(await replay({ cursor: 'evt_1' }), 422, 'validation_error');
    await call('patch', `${PATH}/${books.id}`, { disabled: true });
    expectProblem(await replay({}), 409, 'webhook_disabled');
  });
});
