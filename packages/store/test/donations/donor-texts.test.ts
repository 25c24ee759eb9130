import { buildEventBody } from '@paywatch/domain/webhooks';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { decideHeldDonation } from '../../src/donations/overlay/held-donations.ts';
import { changeModeration } from '../../src/donations/overlay/overlay-controls.ts';
import { insertOverlayDonation } from '../../src/donations/overlay/overlay-donations.ts';
import { removeOldDonorTexts } from '../../src/donations/remove-donor-texts.ts';
import { loadDonationSummaries } from '../../src/donations/totals/donation-summary.ts';
import { inTransaction } from '../../src/postgres/database.ts';
import { rotateToken, updateProject } from '../../src/projects/projects.ts';
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
});

type Gift = { name: string; message?: string; amount?: bigint; daysAgo?: number };

/** A donation that was paid on the day it was made, with its event and a delivery whose endpoint echoed the body. */
async function donate({ name, message = 'Hello', amount = 1000n, daysAgo = 0 }: Gift): Promise<bigint> {
  const txid = randomBytes(32).toString('hex');
  const [invoice] = await store.sql<{ id: bigint }[]>`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      confirmations_required, donor_name, donor_message, ttl_seconds, expires_at, deadline_at, created_at)
    values (${`inv_${txid}`}, ${projectId}, 'donation', 'BTC', 1, 1, 'bc1', '\\x00', false, 1, ${name}, ${message}, 60, now(), now(),
      now() - make_interval(days => ${daysAgo}))
    returning id`;
  const invoiceId = given(invoice).id;
  await inTransaction(store, (tx) => insertOverlayDonation(tx, { invoiceId, projectId, txid, amount }));
  await deliverEvent(invoiceId, { name, message });
  return invoiceId;
}

async function deliverEvent(invoiceId: bigint, { name, message }: { name: string; message: string }) {
  const body = buildEventBody({
    id: `evt_${invoiceId}`,
    type: 'invoice.confirmed',
    createdAtMs: 0,
    invoice: { public_id: 'inv_1', donor_name: name, donor_message: message, order_id: null } as never,
    previousStatus: 'pending',
  });
  await store.sql`
    with event as (
      insert into events (public_id, project_id, invoice_id, type, body)
      values (${`evt_${invoiceId}`}, ${projectId}, ${invoiceId}, 'invoice.confirmed', ${body}) returning id
    ), delivery as (
      insert into deliveries (event_id, project_id, status, next_attempt_at)
      select id, ${projectId}, 'delivered', null from event returning id
    )
    insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms, response_excerpt)
    select id, 1, 'https://shop.example/hook', now(), 1, ${body} from delivery`;
}

/** The tables of the whole database in which a row has this text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await store.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`;
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows =
        await store.sql`select from ${store.sql(name)} t where t::text like ${`%${text}%`} limit 1`;
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

const keepFor = (donorTextsDays: number | null) =>
  updateProject(store, byOperator, projectId, { donorTextsDays });
const summary = async () =>
  given((await loadDonationSummaries(store, [projectId])).get(String(projectId))).summary;
const body = async (invoiceId: bigint) =>
  (await store.sql<{ body: string }[]>`select body from events where invoice_id = ${invoiceId}`)[0]?.body;

describe('old names and messages of donors', () => {
  test('leave every table of the database, and nothing else does', async () => {
    const invoiceId = await donate({ name: 'Xanthippe', message: 'Quagmire', daysAgo: 31 });
    const before = given(await body(invoiceId));
    expect(await tablesWith('Xanthippe')).toEqual([
      'delivery_attempts',
      'donor_totals',
      'events',
      'invoices',
      'overlay_donations',
    ]);
    await keepFor(30);
    expect(await removeOldDonorTexts(store, 1000)).toBe(1);
    expect(await tablesWith('Xanthippe')).toEqual([]);
    expect(await tablesWith('Quagmire')).toEqual([]);
    expect(await body(invoiceId)).toBe(before.replace('"Xanthippe"', 'null').replace('"Quagmire"', 'null'));
    expect((await summary()).counter).toMatchObject({ btc: '1000', donations: 1 });
    const [invoice] = await store.sql`select version from invoices where id = ${invoiceId}`;
    expect(invoice).toEqual({ version: 2 });
  });

  test.each(['approved', 'dismissed', null] as const)(
    'leave a donation that moderators held (decision: %s)',
    async (decision) => {
      const token = randomBytes(16).toString('hex');
      await rotateToken(store, byOperator, projectId, 'control', token);
      await changeModeration(store, byOperator, projectId, { hold: 'all' });
      const invoiceId = await donate({ name: 'Xanthippe', daysAgo: 31 });
      const [held] = await store.sql<{ id: bigint }[]>`
        select id from held_donations where invoice_id = ${invoiceId}`;
      const decide = (by: 'approved' | 'dismissed') =>
        inTransaction(store, (tx) => decideHeldDonation(tx, token, given(held).id, by));
      if (decision !== null) await decide(decision);
      await keepFor(30);
      await removeOldDonorTexts(store, 1000);
      // An approval afterwards shows a donation without a name.
      await decide('approved');
      expect(await tablesWith('Xanthippe')).toEqual([]);
    },
  );

  test('stay for as long as the project says, and for ever if it says nothing', async () => {
    await donate({ name: 'Methuselah', daysAgo: 3000 });
    await removeOldDonorTexts(store, 1000);
    expect(await tablesWith('Methuselah')).toContain('invoices');
    await keepFor(3001);
    await removeOldDonorTexts(store, 1000);
    expect(await tablesWith('Methuselah')).toContain('invoices');
    await keepFor(2999);
    await removeOldDonorTexts(store, 1000);
    expect(await tablesWith('Methuselah')).toEqual([]);
  });

  test('are removed in batches, whatever orders lie between them', async () => {
    for (let i = 0; i < 7; i += 1) await donate({ name: 'Crowd', daysAgo: 40 - i });
    await keepFor(30);
    const removed = [];
    for (let i = 0; i < 4; i += 1) removed.push(await removeOldDonorTexts(store, 3));
    expect(removed).toEqual([3, 3, 1, 0]);
    expect(await tablesWith('Crowd')).toEqual([]);
  });

  test('are removed once by several watchers at a time', async () => {
    for (let i = 0; i < 10; i += 1) await donate({ name: 'Crowd', amount: 100n, daysAgo: 31 });
    await donate({ name: 'crowd', amount: 7n });
    await keepFor(30);
    await Promise.all(Array.from({ length: 4 }, () => removeOldDonorTexts(store, 1000)));
    expect((await summary()).top.all).toEqual([{ donor_name: 'crowd', btc: '7', ltc: '0' }]);
    expect((await summary()).counter).toMatchObject({ btc: '1007', donations: 11 });
  });

  test('of other projects stay', async () => {
    await donate({ name: 'Neighbour', daysAgo: 31 });
    ({ projectId } = await createProject(store));
    await keepFor(1);
    await removeOldDonorTexts(store, 1000);
    expect(await tablesWith('Neighbour')).toContain('invoices');
  });
});
