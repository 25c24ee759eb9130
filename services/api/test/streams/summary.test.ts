import type { OverlaySummary } from '@paywatch/domain/contract';
import { waitUntil } from '@paywatch/dev/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAccount, sharedApi, type TestAccount, type TestApi } from '../support/api.ts';
import { confirmDonation, donate } from '../support/overlay-donations.ts';
import { openStream, type StreamClient } from '../support/stream-client.ts';

const api = await sharedApi();
const other = await sharedApi({ beside: api });
let account: TestAccount;

beforeEach(async () => {
  account = await openAccount(api);
});

const goal = { title: 'Camera', unit: 'BTC', target: '0.0001', since: null, added: '0.00001' };

describe('a browser source', () => {
  test('gets the settings and the sums when it opens, and the sums after each donation, at every replica', async () => {
    await donate(api, account, { name: 'Ada' });
    const sources = [await follow(api), await follow(other)];
    for (const { messages } of sources)
      expect(messages.map(({ event }) => event)).toEqual(['settings', 'summary']);
    await donate(api, account, { name: 'Grace' });
    for (const source of sources) {
      await until(source, ({ counter }) => counter.donations === 2);
      expect(summaryOf(source)).toEqual({
        goal: null,
        counter: { btc: '2000', ltc: '0', donations: 2, since: null },
        top: allPeriods(['Ada', 'Grace']),
      });
    }
  });

  test('gets a changed goal, with the sums, at another replica', async () => {
    await donate(api, account, {});
    const source = await follow(other);
    await set({ goal });
    await until(source, (summary) => summary.goal !== null);
    expect(summaryOf(source).goal).toEqual({
      title: 'Camera',
      unit: 'BTC',
      target: '0.00010000',
      reached: '0.00002000',
    });
    await set({ goal: null });
    await until(source, (summary) => summary.goal === null);
  });

  test('gets changed settings', async () => {
    const source = await follow(other);
    await api
      .call('patch', '/v1/overlay/settings', { session: account.session, body: { theme: 'light' } })
      .expect(200);
    await waitUntil(() => themeOf(source) === 'light', { what: 'the light theme' });
    expect(summaryOf(source).counter.donations).toBe(0);
  });

  test('resumes at another replica with one message: the sums of everything that it missed', async () => {
    const source = await follow(api);
    const position = source.lastEventId;
    source.close();
    for (const name of ['Ann', 'Bob', 'Cat']) await donate(api, account, { name });
    const resumed = await follow(other, position);
    expect(resumed.messages.map(({ event }) => event)).toEqual(['settings', 'summary']);
    expect(summaryOf(resumed).counter.donations).toBe(3);
    expect(Number(resumed.lastEventId)).toBeGreaterThan(Number(position));
  });

  test('gets the current sums if it resumes from a position that was never sent', async () => {
    await donate(api, account, {});
    expect(summaryOf(await follow(api, '999999999999999')).counter.donations).toBe(1);
  });

  test('gets a donation whose publication was lost', async () => {
    const source = await follow(other);
    await confirmDonation(api, account, { name: 'Quiet' });
    await until(source, ({ counter }) => counter.donations === 1);
    expect(summaryOf(source).top.day).toMatchObject([{ donor_name: 'Quiet' }]);
  });

  test('gets a flood of donations as their sums, in ascending versions', async () => {
    const sources = [await follow(api), await follow(other)];
    await Promise.all(Array.from({ length: 60 }, () => donate(api, account, { name: 'Ada' })));
    for (const source of sources) {
      await until(source, ({ counter }) => counter.donations === 60);
      const counts = source.messages.flatMap(({ event, data }) =>
        event === 'summary' ? (data as OverlaySummary).counter.donations : [],
      );
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(summaryOf(source).top.all).toEqual([{ donor_name: 'Ada', btc: '60000', ltc: '0' }]);
    }
  });

  test('ends when its token is replaced, and the old link opens nothing', async () => {
    const sources = [await follow(api), await follow(other)];
    const url = summaryUrl(api);
    await api.call('post', '/v1/project/tokens/overlay/rotate', { session: account.session }).expect(200);
    await Promise.all(sources.map((source) => source.ended()));
    expect((await openStream(url)).status).toBe(404);
  });
});

test('a held donation is in no sum at any replica before its approval', async () => {
  const { body } = await api
    .call('post', '/v1/project/tokens/control/rotate', { session: account.session })
    .expect(200);
  await api
    .call('patch', '/v1/overlay/moderation', { session: account.session, body: { hold: 'all' } })
    .expect(200);
  const sources = [await follow(api), await follow(other)];
  for (const name of ['Held', 'Dismissed']) await donate(api, account, { name });
  const held = await api.store.sql<{ id: bigint; name: string }[]>`
    select id, donor_name as name from held_donations where project_id = ${account.projectId} order by id`;
  for (const { id, name } of held.toReversed())
    await api
      .call('post', `/v1/public/control/${body.token}/decisions`, {
        body: { held_id: String(id), decision: name === 'Held' ? 'approved' : 'dismissed' },
      })
      .expect(200);
  for (const source of [...sources, await follow(other)]) {
    await until(source, ({ counter }) => counter.donations === 1);
    expect(JSON.stringify(source.messages)).not.toContain('Dismissed');
    expect(summaryOf(source).counter.btc).toBe('1000');
  }
});

describe('the settings of sources', () => {
  test('keep what is left out', async () => {
    await set({ counter_since: '2026-11-01' });
    await set({ goal });
    const { body } = await api.call('get', '/v1/overlay/sources', { session: account.session }).expect(200);
    expect(body).toEqual({ goal, counter_since: '2026-11-01' });
  });

  test('refuse a currency without exchange rates', async () => {
    const { body } = await api
      .call('patch', '/v1/overlay/sources', {
        session: account.session,
        body: { goal: { ...goal, unit: 'CHF', target: '5', added: '0' } },
      })
      .expect(422);
    expect(body.errors).toMatchObject([{ path: 'body.goal.unit' }]);
  });
});

function summaryUrl(at: TestApi): string {
  return `${at.url}/v1/public/overlay/${account.overlayToken}/events?include=summary`;
}

async function follow(at: TestApi, lastEventId?: string): Promise<StreamClient> {
  const client = await openStream(summaryUrl(at), { lastEventId });
  expect(client.status).toBe(200);
  await client.received(2);
  return client;
}

function summaryOf(client: StreamClient): OverlaySummary {
  return client.messages.findLast(({ event }) => event === 'summary')!.data as OverlaySummary;
}

function themeOf(client: StreamClient): unknown {
  return client.messages.findLast(({ event }) => event === 'settings')?.data['theme'];
}

async function until(client: StreamClient, holds: (summary: OverlaySummary) => boolean): Promise<void> {
  await waitUntil(() => holds(summaryOf(client)), { what: 'the summary' });
}

function allPeriods(names: readonly string[]): OverlaySummary['top'] {
  const donors = summaryOrder(names);
  return { day: donors, week: donors, month: donors, all: donors };
}

/** Equal donors are in an order of their own, the same in every period. */
function summaryOrder(names: readonly string[]): OverlaySummary['top']['all'] {
  return expect.toSatisfy((donors: OverlaySummary['top']['all']) => {
    expect(donors.map(({ donor_name: name }) => name).toSorted()).toEqual(names);
    return donors.every(({ btc, ltc }) => btc === '1000' && ltc === '0');
  }) as OverlaySummary['top']['all'];
}

async function set(body: object): Promise<void> {
  await api.call('patch', '/v1/overlay/sources', { session: account.session, body }).expect(200);
}
