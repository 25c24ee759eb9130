import { eventBodySchema, eventTypeSchema } from '@paywatch/domain/contract';
import { endpointSecretPlace } from '@paywatch/store/webhooks';
import { startDnsServer } from '../../../../packages/runtime/test/support/dns-server.ts';
import { describe, expect, it } from 'vitest';
import {
  expectAnswer,
  expectProblem,
  openAccount,
  openApiKey,
  sharedApi,
  startApi,
  type TestAccount,
} from '../support/api.ts';

const api = await sharedApi({ env: { WEBHOOK_ALLOWED_HOSTS: 'shop.test,127.0.0.1:8443' } });
const account = await openAccount(api);
const apiKey = await openApiKey(api, account);

const setUrl = (url: unknown, key = apiKey) =>
  api.call('post', '/v1/webhooks', { apiKey: key, body: { url } });
const sendTest = (key = apiKey, body?: unknown) =>
  api.call('post', '/v1/webhooks/test', { apiKey: key, ...(body === undefined ? {} : { body }) });
const readEvent = (id: string, key = apiKey) => api.call('get', `/v1/events/${id}`, { apiKey: key });
const redeliver = (id: string, key = apiKey) =>
  api.call('post', `/v1/events/${id}/redeliver`, { apiKey: key });
const list = (query = '', key = apiKey) => api.call('get', `/v1/events${query}`, { apiKey: key });

async function openMerchant(url?: string): Promise<{ account: TestAccount; key: string }> {
  const owner = await openAccount(api);
  const key = await openApiKey(api, owner);
  if (url !== undefined) await setUrl(url, key);
  return { account: owner, key };
}

function opened(sealed: Buffer | undefined): string {
  return api.dependencies.sealer.open(sealed ?? Buffer.alloc(0), endpointSecretPlace(account.projectId));
}

describe('setting the webhook endpoint', () => {
  it('returns the URL and a secret of 32 random bytes, which is stored sealed and shown nowhere else', async () => {
    const response = await setUrl('https://shop.test/hook?token=mine');
    expectAnswer(response, 'setWebhook', 201);
    expect(response.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const [row] = await api.store.sql<{ secret_sealed: Buffer }[]>`
      select secret_sealed from webhook_endpoints where project_id = ${account.projectId}`;
    expect(row?.secret_sealed.toString('latin1')).not.toContain(response.body.secret.slice(6));
    expect(opened(row?.secret_sealed)).toBe(response.body.secret);
    const me = await api.call('get', '/v1/me', { session: account.session });
    expect(me.body.project.webhook).toMatchObject({
      url: 'https://shop.test/hook?token=mine',
      status: 'healthy',
    });
    expect(me.text).not.toContain(response.body.secret);
  });

  it('again replaces URL and secret, and keeps the old secret for 24 hours', async () => {
    const first = await setUrl('https://shop.test/one');
    const second = await setUrl('https://shop.test/two');
    expect(second.body.secret).not.toBe(first.body.secret);
    const [row] = await api.store.sql<
      { url: string; previous_secret_sealed: Buffer; previous_secret_until: Date }[]
    >`
      select * from webhook_endpoints where project_id = ${account.projectId}`;
    expect(row?.url).toBe('https://shop.test/two');
    expect(opened(row?.previous_secret_sealed)).toBe(first.body.secret);
    expect((row?.previous_secret_until.getTime() ?? 0) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });

  it.each([
    'http://shop.test/hook',
    'shop.test/hook',
    'https://user:secret@shop.test/hook',
    'https://127.0.0.1/hook',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/machine?comp=goalstate',
    'https://0.0.0.0/',
    'https://localhost/',
    'https://db.internal/',
    'https://shop.example:25/',
    'ftp://shop.test/',
    '',
    7,
    null,
  ])('refuses %j and names the field', async (url) => {
    const response = await setUrl(url);
    expectProblem(response, 422, 'validation_error');
    expect(response.body.errors[0].path).toBe('body.url');
    expect(response.text).not.toContain('secret@');
  });

  it('lets the operator allow a host with a port, and no other port of it', async () => {
    expectAnswer(await setUrl('https://127.0.0.1:8443/hook'), 'setWebhook', 201);
    expectProblem(await setUrl('https://127.0.0.1:8444/hook'), 422, 'validation_error');
  });

  it('accepts a name whose addresses are all public, and refuses all others with the same message', async () => {
    const zone: Record<string, string[]> = {
      'public.example': ['93.184.215.14'],
      'mixed.example': ['93.184.215.14', '10.0.0.7'],
      'postgres.corp.example': ['10.0.0.7'],
      'wire-server.example': ['168.63.129.16'],
    };
    const dns = await startDnsServer((name, family) => (family === 4 ? (zone[name] ?? []) : []));
    const guarded = await startApi({ beside: api, env: { WEBHOOK_DNS_SERVERS: dns.address } });
    const set = (host: string) =>
      guarded.call('post', '/v1/webhooks', { apiKey, body: { url: `https://${host}/hook` } });
    expectAnswer(await set('public.example'), 'setWebhook', 201);
    const messages = new Set<string>();
    for (const host of ['mixed.example', 'postgres.corp.example', 'wire-server.example', 'nowhere.example']) {
      const refused = await set(host);
      expectProblem(refused, 422, 'validation_error');
      expect(refused.body.errors).toMatchObject([{ path: 'body.url' }]);
      messages.add(refused.body.errors[0].message);
    }
    expect([...messages]).toEqual([expect.stringContaining('public addresses')]);
    await guarded.close();
    await dns.stop();
  });
});

describe('the test event', () => {
  it.each(eventTypeSchema.options)(
    'of type %s is stored and scheduled like a real one, and marked',
    async (type) => {
      const { key } = await openMerchant('https://shop.test/hook');
      const response = await sendTest(key, { type });
      expectAnswer(response, 'testWebhook', 202);
      expect(response.body).toMatchObject({
        type,
        test: true,
        delivery: { status: 'pending', attempt_count: 0 },
      });
      const detail = await readEvent(response.body.id, key);
      expectAnswer(detail, 'getEvent', 200);
      const body = eventBodySchema.parse(detail.body.body);
      expect(body).toMatchObject({ id: response.body.id, type, test: true, api_version: '1.0' });
      expect(body.data.invoice.public_id).toBe(response.body.public_id);
      expect(`invoice.${body.data.invoice.status}`).toBe(type);
      expect(body.data.payments !== undefined).toBe(type === 'invoice.late_payment');
    },
  );

  it('stored before invoices had a price is read with price and rate null', async () => {
    const { key } = await openMerchant('https://shop.test/hook');
    const { body: event } = await sendTest(key);
    const [stored] = await api.store.sql<{ body: string }[]>`
      select body from events where public_id = ${event.id}`;
    const older = stored?.body.replace('"price":null,"rate":null,', '') ?? '';
    expect(older).not.toBe(stored?.body);
    await api.store.sql`update events set body = ${older} where public_id = ${event.id}`;
    const detail = await readEvent(event.id, key);
    expectAnswer(detail, 'getEvent', 200);
    expect(detail.body.body.data.invoice).toMatchObject({ price: null, rate: null });
  });

  it('is about a confirmed invoice if the body is absent', async () => {
    const { key } = await openMerchant('https://shop.test/hook');
    expect((await sendTest(key)).body.type).toBe('invoice.confirmed');
  });

  it('answers webhook_not_configured without an endpoint, webhook_disabled with a disabled one', async () => {
    const { account: owner, key } = await openMerchant();
    expectProblem(await sendTest(key), 409, 'webhook_not_configured');
    await setUrl('https://shop.test/hook', key);
    await api.store
      .sql`update webhook_endpoints set status = 'disabled' where project_id = ${owner.projectId}`;
    expectProblem(await sendTest(key), 409, 'webhook_disabled');
  });

  it('refuses an unknown type', async () => {
    expectProblem(await sendTest(apiKey, { type: 'invoice.pending' }), 422, 'validation_error');
  });
});

describe('events', () => {
  it('are listed newest first, page by page, each once, and by type', async () => {
    const { key } = await openMerchant('https://shop.test/hook');
    const made: string[] = [];
    for (const type of [...eventTypeSchema.options, 'invoice.expired']) {
      made.unshift((await sendTest(key, { type })).body.id);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await list(cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`, key);
      expectAnswer(page, 'listEvents', 200);
      seen.push(...page.body.data.map((event: { id: string }) => event.id));
      cursor = page.body.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(made);
    const expired = await list('?type=invoice.expired', key);
    expect(expired.body.data).toHaveLength(2);
  });

  it('of one invoice are found by its public_id', async () => {
    const { key } = await openMerchant('https://shop.test/hook');
    await sendTest(key);
    const response = await list('?public_id=inv_1111111111111111', key);
    expectAnswer(response, 'listEvents', 200);
    expect(response.body).toEqual({ data: [], next_cursor: null });
  });

  it.each(['limit=0', 'type=invoice.pending', 'public_id=x', 'cursor=evt_1111111111111111', 'status=failed'])(
    'refuse the query ?%s',
    async (query) => {
      expectProblem(await list(`?${query}`), 422, 'validation_error');
    },
  );

  it('show every attempt with time, status, duration and response', async () => {
    const { key } = await openMerchant('https://shop.test/hook');
    const { id } = (await sendTest(key)).body;
    await api.store.sql`
      insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms, http_status, error, response_excerpt)
      select d.id, n, 'https://shop.test/hook', now(), 12, attempt.status, attempt.error, excerpt
      from deliveries d join events e on e.id = d.event_id,
        (values (1, null, 'no answer', null), (2, 500, 'answered 500', 'oops')) as attempt (n, status, error, excerpt)
      where e.public_id = ${id}`;
    const response = await readEvent(id, key);
    expectAnswer(response, 'getEvent', 200);
    expect(response.body.attempts).toMatchObject([
      { response_status: null, error: 'no answer', response_body: null },
      { response_status: 500, error: 'answered 500', response_body: 'oops', duration_ms: 12 },
    ]);
  });

  it('hide path, query and response of the endpoint from a key of scope `invoices`', async () => {
    const merchantOfKey = await openAccount(api);
    const [full, narrow] = [
      await openApiKey(api, merchantOfKey),
      await openApiKey(api, merchantOfKey, 'invoices'),
    ];
    const body = { url: 'https://shop.test/hook?token=mine' };
    await api.call('post', '/v1/webhooks', { apiKey: full, body }).expect(201);
    const { id } = (await sendTest(full)).body;
    await api.store.sql`
      insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms, http_status, response_excerpt)
      select d.id, 1, ${body.url}, now(), 12, 500, 'a secret of the shop'
      from deliveries d join events e on e.id = d.event_id where e.public_id = ${id}`;
    const response = await readEvent(id, narrow);
    expectAnswer(response, 'getEvent', 200);
    expect(response.body.attempts).toMatchObject([{ url: 'https://shop.test/', response_body: null }]);
    expect((await readEvent(id, full)).body.attempts).toMatchObject([{ url: body.url }]);
  });

  it('are sent again on request, with a new schedule', async () => {
    const { key } = await openMerchant('https://shop.test/hook');
    const { id } = (await sendTest(key)).body;
    await api.store.sql`
      update deliveries d set status = 'failed', next_attempt_at = null, failures = 9
      from events e where e.id = d.event_id and e.public_id = ${id}`;
    const response = await redeliver(id, key);
    expectAnswer(response, 'redeliverEvent', 202);
    expect(response.body.delivery).toMatchObject({ status: 'pending' });
    expect(response.body.delivery.next_attempt_at).not.toBeNull();
  });

  it('cannot be sent again without an endpoint, or to a disabled one', async () => {
    const { account: owner, key } = await openMerchant('https://shop.test/hook');
    const { id } = (await sendTest(key)).body;
    await api.store
      .sql`update webhook_endpoints set status = 'disabled' where project_id = ${owner.projectId}`;
    expectProblem(await redeliver(id, key), 409, 'webhook_disabled');
    await api.store.sql`delete from webhook_endpoints where project_id = ${owner.projectId}`;
    expectProblem(await redeliver(id, key), 409, 'webhook_not_configured');
  });

  it('of another project, unknown ones and malformed ids answer the same event_not_found', async () => {
    const { key } = await openMerchant('https://shop.test/hook');
    const { id } = (await sendTest(key)).body;
    for (const wanted of [id, 'evt_1111111111111111', 'nonsense']) {
      expectProblem(await readEvent(wanted), 404, 'event_not_found');
      expectProblem(await redeliver(wanted), 404, 'event_not_found');
    }
    const foreign = await list('?limit=100');
    expect(foreign.text).not.toContain(id);
    expectProblem(await list(`?cursor=${id}`), 422, 'validation_error');
  });
});
