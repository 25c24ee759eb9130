import type { OverlaySources } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { decideHeldDonation } from '../../src/donations/overlay/held-donations.ts';
import { changeModeration } from '../../src/donations/overlay/overlay-controls.ts';
import { insertOverlayDonation, insertTestDonation } from '../../src/donations/overlay/overlay-donations.ts';
import { changeOverlaySources } from '../../src/donations/overlay/overlay-settings.ts';
import { loadDonationSummaries, loadSummaryHeads } from '../../src/donations/totals/donation-summary.ts';
import { listLatestDonations, readGoal } from '../../src/donations/totals/shown-totals.ts';
import { inTransaction } from '../../src/postgres/database.ts';
import { rotateToken } from '../../src/projects/projects.ts';
import { createProject, given } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let projectId: bigint;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  ({ projectId } = await createProject(store));
  await store.sql`delete from exchange_rates`;
});

type Gift = { name?: string | null; amount?: bigint; currency?: Currency };

/** What the watcher does when a donation's transaction confirms; twice, as after a reorganisation. */
async function donate({ name = 'Ada', amount = 1000n, currency = 'BTC' }: Gift = {}): Promise<void> {
  const txid = randomBytes(32).toString('hex');
  const [invoice] = await store.sql<{ id: bigint }[]>`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      confirmations_required, donor_name, ttl_seconds, expires_at, deadline_at)
    values (${`inv_${txid}`}, ${projectId}, 'donation', ${currency}, 1, 1, 'bc1', '\\x00', false, 1, ${name}, 60, now(), now())
    returning id`;
  const donation = { invoiceId: given(invoice).id, projectId, txid, amount };
  await inTransaction(store, (tx) => insertOverlayDonation(tx, donation));
  await inTransaction(store, (tx) => insertOverlayDonation(tx, donation));
}

async function summary() {
  return given((await loadDonationSummaries(store, [projectId])).get(String(projectId)));
}
const read = async () => (await summary()).summary;
const names = async (period: 'day' | 'week' | 'month' | 'all') =>
  (await read()).top[period].map(({ donor_name: name }) => name);
const set = (change: Partial<OverlaySources>) => changeOverlaySources(store, byOperator, projectId, change);

async function setRate(currency: Currency, value: string, priceCurrency = 'EUR'): Promise<void> {
  await store.sql`
    insert into exchange_rates (currency, price_currency, value, sources, taken_at)
    values (${currency}, ${priceCurrency}, ${value}, '{kraken}', now() - interval '1 day')`;
}

const goal = { title: 'Camera', unit: 'BTC', target: '0.5', since: null, added: '0' };

describe('totals', () => {
  test('count each confirmed transaction once, by coin, and no test', async () => {
    await donate();
    await donate({ amount: 500n });
    await donate({ amount: 7n, currency: 'LTC', name: null });
    const sample = {
      projectId,
      publicId: 'inv_1',
      currency: 'BTC',
      donorName: 'T',
      donorMessage: null,
    } as const;
    const { version } = await summary();
    await inTransaction(store, (tx) => insertTestDonation(tx, { ...sample, amount: 9n }));
    const later = await summary();
    await store.sql`delete from overlay_donations where project_id = ${projectId} and test`;
    // Tests are deleted after a day. An older version would reach no open stream.
    expect((await summary()).version).toBeGreaterThanOrEqual(later.version);
    expect(later.version).toBeGreaterThanOrEqual(version);
    expect((await read()).counter).toEqual({ btc: '1500', ltc: '7', donations: 3, since: null });
  });

  test('count the donations that an older release inserted, with the next one', async () => {
    await donate();
    await store.sql`
      insert into overlay_donations (project_id, invoice_id, txid, public_id, currency, amount, donor_name)
      values (${projectId}, 1, ${randomBytes(32)}, 'inv_1', 'BTC', 5, 'Old')`;
    await donate();
    const { counter, top } = await read();
    expect(counter).toMatchObject({ btc: '2005', donations: 3 });
    expect(top.all.map(({ donor_name: name, btc }) => [name, btc])).toEqual([
      ['Ada', '2000'],
      ['Old', '5'],
    ]);
  });

  test('count concurrent donations exactly', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, i) => donate({ name: `Donor ${i % 3}`, amount: 10n })));
    const { counter, top } = await read();
    expect(counter).toMatchObject({ btc: '200', donations: 20 });
    expect(top.day.map(({ btc }) => btc)).toEqual(['70', '70', '60']);
  });

  test('begin on the day that the owner chose', async () => {
    await donate({ amount: 3n });
    await store.sql`
      insert into donation_days values (${projectId}, '2026-01-31', 100, 0, 1), (${projectId}, '2026-02-01', 20, 4, 2)`;
    await set({ counter_since: '2026-02-01', goal: { ...goal, since: '2026-01-31' } });
    const { counter, goal: progress } = await read();
    expect(counter).toEqual({ btc: '23', ltc: '4', donations: 3, since: '2026-02-01' });
    expect(progress?.reached).toBe('0.00000123');
  });

  test('of one project are not those of another', async () => {
    await donate();
    ({ projectId } = await createProject(store));
    expect(await read()).toEqual({
      goal: null,
      counter: { btc: '0', ltc: '0', donations: 0, since: null },
      top: { day: [], week: [], month: [], all: [] },
    });
  });
});

describe('a held donation', () => {
  let token: string;
  beforeEach(async () => {
    token = randomBytes(16).toString('hex');
    await rotateToken(store, byOperator, projectId, 'control', token);
    await changeModeration(store, byOperator, projectId, { hold: 'all' });
  });

  const decide = async (decision: 'approved' | 'text_blocked' | 'dismissed') => {
    const [held] = await store.sql<{ id: bigint }[]>`
      select id from held_donations where project_id = ${projectId} and decision is null`;
    const decideOnce = () =>
      inTransaction(store, (tx) => decideHeldDonation(tx, token, given(held).id, decision));
    await Promise.all([decideOnce(), decideOnce(), decideOnce()]);
  };

  test('is in no total and no list before its approval, and once afterwards', async () => {
    await set({ goal });
    await donate({ name: 'Rude' });
    expect(JSON.stringify(await read())).not.toContain('Rude');
    expect(await read()).toMatchObject({
      counter: { btc: '0', donations: 0 },
      goal: { reached: '0.00000000' },
    });
    expect(await listLatestDonations(store, projectId, 5)).toEqual([]);
    const { version } = await summary();
    await decide('approved');
    expect(await read()).toMatchObject({
      counter: { btc: '1000', donations: 1 },
      goal: { reached: '0.00001000' },
      top: { day: [{ donor_name: 'Rude', btc: '1000', ltc: '0' }] },
    });
    expect((await summary()).version).toBeGreaterThan(version);
    expect(await listLatestDonations(store, projectId, 5)).toMatchObject([{ donorName: 'Rude' }]);
  });

  test('whose text is blocked counts without its name; one that is dismissed never counts', async () => {
    await donate({ name: 'Rude' });
    await decide('text_blocked');
    await donate({ name: 'Ruder' });
    await decide('dismissed');
    expect(await read()).toMatchObject({ counter: { btc: '1000', donations: 1 }, top: { all: [], day: [] } });
  });
});

describe('top donors', () => {
  test('are one whatever the case and spaces of their name, under the name they wrote last', async () => {
    for (const name of ['Ada', ' ADA ', 'ada']) await donate({ name });
    expect((await read()).top.all).toEqual([{ donor_name: 'ada', btc: '3000', ltc: '0' }]);
  });

  test('leave out anonymous ones, and those beyond the tenth', async () => {
    await donate({ name: null, amount: 9_999n });
    await donate({ name: '  ', amount: 9_999n });
    for (let i = 1; i <= 12; i += 1) await donate({ name: `Donor ${i}`, amount: BigInt(i) });
    expect(await names('all')).toEqual(Array.from({ length: 10 }, (_, i) => `Donor ${12 - i}`));
  });

  test('are compared by the value of all coins; without rates Bitcoin comes first', async () => {
    await donate({ name: 'Bitcoiner', amount: 100n });
    await donate({ name: 'Litecoiner', amount: 60_000n, currency: 'LTC' });
    await donate({ name: 'Both', amount: 60n });
    await donate({ name: 'Both', amount: 30_000n, currency: 'LTC' });
    expect(await names('all')).toEqual(['Bitcoiner', 'Both', 'Litecoiner']);
    await setRate('BTC', '100000');
    await setRate('LTC', '100');
    expect(await names('all')).toEqual(['Bitcoiner', 'Both', 'Litecoiner']);
    await store.sql`update exchange_rates set value = 200 where currency = 'LTC'`;
    expect(await names('all')).toEqual(['Both', 'Litecoiner', 'Bitcoiner']);
  });

  test('of a period are those who gave since it began', async () => {
    await store.sql`
      insert into overlay_donations (project_id, invoice_id, txid, public_id, currency, amount, donor_name, confirmed_at)
      select ${projectId}, n, int4send(n), 'inv_' || n, 'BTC', n, name, at
      from (values (4, 'Today', now()),
        (3, 'Last week', date_trunc('week', now() at time zone 'UTC') at time zone 'UTC' - interval '1 second'),
        (2, 'Last month', date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '1 second'),
        (1, 'Long ago', now() - interval '400 days')) as v (n, name, at)`;
    await donate({ name: 'Now', amount: 5n });
    expect(await names('day')).toEqual(['Now', 'Today']);
    expect(await names('week')).toEqual(['Now', 'Today']);
    const month = await names('month');
    expect(month).not.toContain('Last month');
    expect(month.slice(0, 2)).toEqual(['Now', 'Today']);
    expect(await names('all')).toEqual(['Now', 'Today', 'Last week', 'Last month', 'Long ago']);
  });

  test('with a name of any length and script are stored', async () => {
    const name = '\u{fdfa}'.repeat(50);
    await donate({ name });
    expect(await names('all')).toEqual([name]);
  });
});

describe('a goal', () => {
  test('in a currency of prices counts every coin at its rate, and what the owner added', async () => {
    await setRate('BTC', '50000');
    await setRate('LTC', '80.5');
    await donate({ amount: 1_000_000n });
    await donate({ amount: 200_000_000n, currency: 'LTC' });
    await set({ goal: { ...goal, unit: 'EUR', target: '1000', added: '20.50' } });
    const reached = { title: 'Camera', unit: 'EUR', target: '1000.00', reached: '681.50' };
    expect((await read()).goal).toEqual(reached);
    expect(await readGoal(store, projectId)).toEqual(reached);
  });

  test('is unknown while a rate that it needs is unknown', async () => {
    await setRate('BTC', '50000');
    await set({ goal: { ...goal, unit: 'EUR' } });
    await donate({ amount: 1_000_000n });
    expect((await read()).goal?.reached).toBe('500.00');
    await donate({ currency: 'LTC' });
    expect((await read()).goal?.reached).toBeNull();
  });

  test('that was removed is shown no more', async () => {
    await set({ goal, counter_since: '2026-02-01' });
    await set({ goal: null });
    expect((await read()).goal).toBeNull();
    expect(await readGoal(store, projectId)).toBeNull();
    expect((await read()).counter.since).toBe('2026-02-01');
  });
});

test('each change has a later version, and the head names it', async () => {
  const versions: bigint[] = [];
  for (const change of [() => donate(), () => set({ goal }), () => set({ goal: null }), () => donate()]) {
    await change();
    versions.push((await summary()).version);
  }
  expect(versions.every((version, index) => index === 0 || version > given(versions[index - 1]))).toBe(true);
  const head = given((await loadSummaryHeads(store, [projectId])).get(String(projectId)));
  expect(head.version).toBeGreaterThanOrEqual(given(versions.at(-1)));
});
