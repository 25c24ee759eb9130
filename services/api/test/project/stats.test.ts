import { expect, it } from 'vitest';
import { expectAnswer, openAccount, openApiKey, sharedApi, type TestAccount } from '../support/api.ts';

const api = await sharedApi();

const read = async (account: TestAccount) => {
  const response = await api.call('get', '/v1/stats', { apiKey: await openApiKey(api, account) });
  expectAnswer(response, 'getStats', 200);
  return response.body;
};

it('returns zeros and 30 empty days up to today for a new project', async () => {
  const stats = await read(await openAccount(api));
  expect(stats.accepted).toEqual({ BTC: { amount: '0', count: 0 }, LTC: { amount: '0', count: 0 } });
  expect(stats.statuses).toEqual({
    new: 0,
    pending: 0,
    confirmed: 0,
    underpaid: 0,
    expired: 0,
    late_payment: 0,
  });
  expect(stats).toMatchObject({ accepted_in_fiat: [], accepted_without_rate: 0 });
  expect(stats.types).toEqual({ donation: 0, order: 0 });
  expect(stats.activity).toHaveLength(30);
  expect(stats.activity.at(-1).date).toBe(new Date().toISOString().slice(0, 10));
  for (const day of stats.activity) {
    expect(day).toEqual({ date: day.date, created: 0, confirmed: 0, accepted: { BTC: '0', LTC: '0' } });
  }
});

it('adds up the shards of all days, shows each of the last 30 days, and exact amounts beyond 2^53', async () => {
  const account = await openAccount(api);
  const stranger = await openAccount(api);
  const amount = 9_007_199_254_740_993n;
  const today = new Date().toISOString().slice(0, 10);
  const daysAgo = (days: number) =>
    new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  const row = (projectId: bigint, day: string, shard: number) => api.store.sql`
    insert into project_stats (project_id, day, shard, orders_created, donations_created, confirmed, btc_amount,
      btc_count, ltc_amount, ltc_count, status_new, status_confirmed, status_expired)
    values (${projectId}, ${day}, ${shard}, 3, 2, 1, ${amount}, 1, 7, 2, 3, 4, 2)`;
  await row(account.projectId, today, 0);
  await row(account.projectId, today, 5);
  await row(account.projectId, daysAgo(29), 1);
  await row(account.projectId, daysAgo(30), 1);
  await row(account.projectId, daysAgo(900), 1);
  await row(stranger.projectId, today, 0);
  const worth = (projectId: bigint, currency: string, shard: number) => api.store.sql`
    insert into fiat_totals (project_id, fiat_currency, shard, amount, count)
    values (${projectId}, ${currency}, ${shard}, ${amount}, 4)`;
  await worth(account.projectId, 'EUR', 0);
  await worth(account.projectId, 'EUR', 3);
  await worth(account.projectId, 'JPY', 3);
  await worth(stranger.projectId, 'EUR', 3);
  const stats = await read(account);
  expect(stats.accepted).toEqual({
    BTC: { amount: String(amount * 5n), count: 5 },
    LTC: { amount: '35', count: 10 },
  });
  expect(stats.accepted_in_fiat).toEqual([
    { amount: '180143985094819.86', currency: 'EUR', count: 8 },
    { amount: String(amount), currency: 'JPY', count: 4 },
  ]);
  expect(stats.accepted_without_rate).toBe(3);
  expect(stats.types).toEqual({ order: 15, donation: 10 });
  expect(stats.statuses).toMatchObject({ new: 15, confirmed: 20, expired: 10 });
  expect(stats.activity[0]).toEqual({
    date: daysAgo(29),
    created: 5,
    confirmed: 1,
    accepted: { BTC: String(amount), LTC: '7' },
  });
  expect(stats.activity[29]).toMatchObject({ date: today, created: 10, confirmed: 2 });
  expect(stats.activity.filter((day: { created: number }) => day.created > 0)).toHaveLength(2);
});
