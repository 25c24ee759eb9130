import { waitUntil } from '@paywatch/dev/testing';
import { describe, expect, it } from 'vitest';
import { getServiceStatus } from '../../src/service-status/get-service-status.ts';
import { expectAnswer, randomAddress, sharedApi, startApi } from '../support/api.ts';
import { contentOf, writeBuild } from '../support/web-build.ts';

const WEB_DIST = await writeBuild();
const api = await sharedApi({
  env: { WEB_DIST, MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'paywatch@example.com' },
});
const { sql } = api.store;

/** Reads without the result that a replica shares for five seconds. */
const read = async (of = api) => (await getServiceStatus(of.dependencies)(undefined as never)).body;

const setView = (checkedSecondsAgo: number) => sql`
  insert into chains (currency, network, tip_height, tip_hash, tip_time, checked_at)
  values ('BTC', 'regtest', 7, 'hash', now(), now() - make_interval(secs => ${checkedSecondsAgo}))
  on conflict (currency) do update set checked_at = excluded.checked_at`;

describe('the status', () => {
  it('names each part that works', async () => {
    await setView(0);
    expect(await read()).toMatchObject({
      state: 'operational',
      api: { state: 'operational' },
      streams: { state: 'operational' },
      chains: [{ currency: 'BTC', network: 'regtest', state: 'operational', tip_height: 7 }],
      webhooks: { state: 'operational', lag_seconds: 0 },
      mail: { state: 'operational', lag_seconds: 0 },
      incidents: [],
    });
  });

  it('says that a chain is delayed as soon as its view is stale', async () => {
    await setView(35);
    expect(await read()).toMatchObject({ state: 'delayed', chains: [{ state: 'delayed' }] });
    await setView(0);
  });

  it('says that mail is delayed, and lists incidents', async () => {
    await sql`
      insert into mails (message_id, recipient, kind, language, expires_at, relay_at, next_attempt_at)
      values (gen_random_uuid(), 'a@example.com', 'reset_password', 'en', now(), now() - interval '90 s', now())`;
    await sql`insert into incidents (component, started_at) values ('mail', now() - interval '90 s')`;
    const status = await read();
    expect(status).toMatchObject({ state: 'delayed', mail: { state: 'delayed' } });
    expect(status.incidents).toEqual([expect.objectContaining({ component: 'mail', ended_at: null })]);
    await sql`delete from mails`;
  });

  it('says that live updates are delayed while Redis is unavailable', async () => {
    const degraded = await startApi({ beside: api, redisUrl: 'redis://127.0.0.1:1', env: { WEB_DIST } });
    const response = await degraded.call('get', '/v1/public/status');
    expectAnswer(response, 'getServiceStatus', 200);
    expect(response.body).toMatchObject({
      state: 'delayed',
      api: { state: 'operational' },
      streams: { state: 'delayed' },
      mail: null,
    });
    expect((await degraded.call('get', '/status')).status).toBe(200);
    await degraded.close();
  });

  it('says that the service is unavailable while Postgres is unavailable', async () => {
    const down = await startApi({
      beside: api,
      env: { WEB_DIST, DATABASE_URL: 'postgres://127.0.0.1:1/paywatch' },
    });
    const response = await down.call('get', '/status');
    expect(response.status).toBe(200);
    expect(contentOf(response.text).status).toMatchObject({
      state: 'unavailable',
      api: { state: 'unavailable' },
      chains: [],
      webhooks: null,
    });
    await down.close();
  });
});

describe('load', () => {
  it('on the status costs Postgres nothing: a replica reads it once in five seconds', async () => {
    const first = await api.call('get', '/v1/public/status');
    expectAnswer(first, 'getServiceStatus', 200);
    await sql`delete from chains`;
    const others = await Promise.all(Array.from({ length: 20 }, () => api.call('get', '/v1/public/status')));
    for (const { body } of others) expect(body).toEqual(first.body);
    const chains = async () => (await api.call('get', '/v1/public/status')).body.chains.length;
    await waitUntil(async () => (await chains()) === 0, { what: 'a new read' });
  });

  it('is limited like that on other public reads', async () => {
    const from = randomAddress();
    const { headers } = await api.call('get', '/v1/public/status', { from });
    expect(headers['ratelimit']).toBeDefined();
  });
});
