import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { changeDonationPage, loadDonationPage } from '../../src/donations/donation-page.ts';
import { changeModeration } from '../../src/donations/overlay/overlay-controls.ts';
import { insertOverlayDonation } from '../../src/donations/overlay/overlay-donations.ts';
import { inTransaction } from '../../src/postgres/database.ts';
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

const change = (...[settings]: [Parameters<typeof changeDonationPage>[3]]) =>
  changeDonationPage(store, byOperator, projectId, settings);

/** Settles a donation with a message; returns the id of its invoice. */
async function donate(amount: bigint): Promise<bigint> {
  const txid = randomBytes(32).toString('hex');
  const [invoice] = await store.sql<{ id: bigint }[]>`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      confirmations_required, donor_name, donor_message, ttl_seconds, expires_at, deadline_at)
    values (${`inv_${txid}`}, ${projectId}, 'donation', 'BTC', 1, 1, 'bc1', '\\x00', false, 1, 'Ada', 'Hello', 60, now(), now())
    returning id`;
  const { id } = given(invoice);
  await inTransaction(store, (tx) => insertOverlayDonation(tx, { invoiceId: id, projectId, txid, amount }));
  return id;
}

async function messagesIn(table: 'overlay_donations' | 'held_donations', invoiceId: bigint) {
  const rows = await store.sql<{ message: string | null; name: string }[]>`
    select donor_message as message, donor_name as name from ${store.sql(table)} where invoice_id = ${invoiceId}`;
  return rows.map((row) => ({ ...row }));
}

test('a donation below the minimum is shown without its message, and its invoice keeps the message', async () => {
  await change({ min_message_btc: '1000', min_message_ltc: '1' });
  const [below, exact] = [await donate(999n), await donate(1000n)];
  expect(await messagesIn('overlay_donations', below)).toEqual([{ message: null, name: 'Ada' }]);
  expect(await messagesIn('overlay_donations', exact)).toEqual([{ message: 'Hello', name: 'Ada' }]);
  const [kept] = await store.sql`select donor_message as message from invoices where id = ${below}`;
  expect(given(kept)['message']).toBe('Hello');
});

test('a held donation below the minimum has no message either, and words in it hold nothing', async () => {
  await change({ min_message_btc: '1000' });
  await changeModeration(store, byOperator, projectId, { hold: 'all' });
  expect(await messagesIn('held_donations', await donate(999n))).toEqual([{ message: null, name: 'Ada' }]);
  await changeModeration(store, byOperator, projectId, { hold: 'links_and_words', words: ['hello'] });
  expect(await messagesIn('overlay_donations', await donate(999n))).toHaveLength(1);
  expect(await messagesIn('held_donations', await donate(1000n))).toHaveLength(1);
});

test('concurrent changes of different settings are all kept, with a line each in the audit log', async () => {
  await Promise.all([change({ text: 'Hello' }), change({ accent_color: '#112233' })]);
  expect(await loadDonationPage(store, projectId)).toMatchObject({ text: 'Hello', accent_color: '#112233' });
  const lines = await store.sql`
    select from audit_log where project_id = ${projectId} and action = 'project.donation_page_changed'`;
  expect(lines).toHaveLength(2);
});

test('only an image of the project itself becomes its picture', async () => {
  const { projectId: other } = await createProject(store);
  const add = async (owner: bigint, kind: string, type: string) => {
    const id = `upl_${randomBytes(8).toString('hex')}`;
    await store.sql`
      insert into uploads (public_id, project_id, kind, name, type, width, height, duration_ms, content)
      values (${id}, ${owner}, ${kind}, '', ${type}, ${kind === 'image' ? 1 : null}, ${kind === 'image' ? 1 : null}, ${kind === 'image' ? null : 1}, '\\x00')`;
    return id;
  };
  expect(await change({ picture: await add(other, 'image', 'image/png') })).toBeNull();
  expect(await change({ picture: await add(projectId, 'sound', 'audio/wav') })).toBeNull();
  expect((await loadDonationPage(store, projectId)).picture).toBeNull();
  const own = await add(projectId, 'image', 'image/png');
  expect(await change({ picture: own })).toMatchObject({ picture: own });
});
