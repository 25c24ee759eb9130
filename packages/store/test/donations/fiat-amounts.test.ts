import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UpdateOverlaySettingsBody } from '@paywatch/domain/contract';
import { byOperator } from '../../src/accounts/authorize.ts';
import { decideHeldDonation } from '../../src/donations/overlay/held-donations.ts';
import { changeModeration } from '../../src/donations/overlay/overlay-controls.ts';
import {
  insertOverlayDonation,
  insertTestDonation,
  loadOverlayDonations,
} from '../../src/donations/overlay/overlay-donations.ts';
import { changeOverlaySettings } from '../../src/donations/overlay/overlay-settings.ts';
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
  await setRate('80000', '10 seconds');
});

/** The rate of BTC in EUR, accepted so long ago. */
async function setRate(value: string, age: string, withheld: string | null = null): Promise<void> {
  await store.sql`
    insert into exchange_rates (currency, price_currency, value, sources, taken_at, withheld)
    values ('BTC', 'EUR', ${value}::text::numeric, '{kraken}', now() - ${age}::text::interval, ${withheld})
    on conflict (currency, price_currency) do update
      set value = excluded.value, taken_at = excluded.taken_at, withheld = excluded.withheld`;
}

const change = (settings: UpdateOverlaySettingsBody) =>
  changeOverlaySettings(store, byOperator, projectId, settings);

/** Confirms a donation of 50,000 satoshi. */
async function confirm(): Promise<void> {
  const txid = randomBytes(32).toString('hex');
  const [invoice] = await store.sql<{ id: bigint }[]>`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      confirmations_required, donor_name, ttl_seconds, expires_at, deadline_at)
    values (${`inv_${txid}`}, ${projectId}, 'donation', 'BTC', 1, 1, 'bc1', '\\x00', false, 1, 'Ada', 60, now(), now())
    returning id`;
  const donation = { invoiceId: given(invoice).id, projectId, txid, amount: 50_000n };
  await inTransaction(store, (tx) => insertOverlayDonation(tx, donation));
}

/** What the donations of the project were worth, in the order of the overlay. */
async function worths(): Promise<unknown[]> {
  const [page] = await loadOverlayDonations(store, [{ projectId, after: 0n }], 100);
  return given(page).donations.map(({ fiat }) => fiat);
}

test('a donation keeps what it was worth when it was confirmed, whatever rate and settings come later', async () => {
  await change({ amounts: 'both' });
  await confirm();
  await setRate('90000', '10 seconds');
  await confirm();
  expect(await worths()).toEqual([
    { amount: '40.00', currency: 'EUR' },
    { amount: '45.00', currency: 'EUR' },
  ]);
  await change({ amounts: 'fiat', fiat_currency: 'USD' });
  await setRate('10', '10 seconds');
  expect(await worths()).toEqual([
    { amount: '40.00', currency: 'EUR' },
    { amount: '45.00', currency: 'EUR' },
  ]);
});

test('no worth is stored where the streamer wants coins, or no rate of the currency is known, recent and agreed', async () => {
  await confirm();
  await change({ amounts: 'fiat', fiat_currency: 'CHF' });
  await confirm();
  await change({ fiat_currency: 'EUR' });
  await setRate('80000', '61 minutes');
  await confirm();
  await setRate('80000', '10 seconds', 'jump');
  await confirm();
  expect(await worths()).toEqual([null, null, null, null]);
});

test('a held donation has the worth of its confirmation, not of its approval', async () => {
  const token = randomBytes(16).toString('hex');
  await rotateToken(store, byOperator, projectId, 'control', token);
  await changeModeration(store, byOperator, projectId, { hold: 'all' });
  await change({ amounts: 'both' });
  await confirm();
  await setRate('90000', '10 seconds');
  const [held] = await store.sql<
    { id: bigint }[]
  >`select id from held_donations where project_id = ${projectId}`;
  await inTransaction(store, (tx) => decideHeldDonation(tx, token, given(held).id, 'approved'));
  expect(await worths()).toEqual([{ amount: '40.00', currency: 'EUR' }]);
});

test('a test donation shows its worth, too', async () => {
  await change({ amounts: 'fiat' });
  const { fiat } = await inTransaction(store, (tx) =>
    insertTestDonation(tx, {
      projectId,
      publicId: `inv_${randomBytes(8).toString('hex')}`,
      currency: 'BTC',
      amount: 50_000n,
      donorName: null,
      donorMessage: null,
    }),
  );
  expect(fiat).toEqual({ amount: '40.00', currency: 'EUR' });
});
