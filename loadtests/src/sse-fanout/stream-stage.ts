import type { StackService } from '@paywatch/dev/stack';
import type { Store } from '@paywatch/store';
import { insertOverlayDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishInvoicesChanged, publishOverlayDonations } from '@paywatch/store/redis';
import { randomBytes } from 'node:crypto';
import { startBenchApi } from '../create-invoice/bench-api.ts';
import { startBenchServers } from '../shared/bench-servers.ts';

/** Postgres, Redis, one API replica, and the invoices and overlay that are streamed. */
export type StreamStage = {
  store: Store;
  api: StackService;
  overlayPath: string;
  statusPaths: readonly string[];
  /** Commits `count` donations, calls `beforePublishing`, publishes them. Returns the last position. */
  donate(count: number, beforePublishing?: () => void): Promise<number>;
  /** Commits a new version of the invoices number `from` to `to`, calls `beforePublishing`, publishes it. */
  change(from: number, to: number, beforePublishing?: () => void): Promise<void>;
};

/** Starts it on its own servers; `parts` stops it. */
export async function setStreamStage(parts: AsyncDisposableStack, invoices: number): Promise<StreamStage> {
  const servers = await startBenchServers(parts);
  const { store } = servers;
  const ids = await openInvoices(store, invoices);
  const api = await startBenchApi(parts, servers, { LOG_LEVEL: 'error', BTC_NETWORK: 'regtest' });
  return {
    store,
    api,
    overlayPath: '/v1/public/overlay/overlay-bench/events',
    statusPaths: ids.publicIds.map((publicId) => `/v1/public/invoices/${publicId}/events`),
    donate: (count, beforePublishing) => donate(store, ids, count, beforePublishing),
    change: (from, to, beforePublishing) => change(store, ids.publicIds.slice(from, to), beforePublishing),
  };
}

type Ids = { projectId: bigint; donationId: bigint; publicIds: readonly string[] };

/** Inserts one donation, and `count` orders that wait for confirmations. */
async function openInvoices({ sql }: Store, count: number): Promise<Ids> {
  const [project] = await sql<{ id: bigint }[]>`
    with account as (
      insert into accounts (email, password_hash) values ('bench@example.org', 'none') returning id
    )
    insert into projects (account_id, name, donate_token, overlay_token)
    select id, 'Bench', 'donate-bench', 'overlay-bench' from account returning id`;
  if (!project) throw new Error('the insert returns its row');
  // Free space on the pages keeps updates cheap: the benchmark measures streams, not storage.
  await sql`alter table invoices set (fillfactor = 40)`;
  const rows = await sql<{ id: bigint; public_id: string }[]>`
    insert into invoices (public_id, project_id, type, status, currency, pool_id, address_index, address, script,
                          address_reused, expected_amount, confirmations_required, donor_name, donor_message,
                          ttl_seconds, expires_at, deadline_at)
    select 'inv_' || translate(lpad(n::text, 16, '0'), '0', 'o'), ${project.id}, case n when 0 then 'donation' else 'order' end, 'pending', 'BTC',
           1, 0, 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', '\\x0014', false, 100000, 6, 'Donor', 'Keep going!',
           86400, now() + interval '1 day', now() + interval '1 day'
    from generate_series(0, ${count}::int) n
    returning id, public_id`;
  const [donation, ...orders] = rows;
  if (!donation) throw new Error('the insert returns its rows');
  return { projectId: project.id, donationId: donation.id, publicIds: orders.map((row) => row.public_id) };
}

async function donate(
  store: Store,
  { projectId, donationId }: Ids,
  count: number,
  beforePublishing?: () => void,
): Promise<number> {
  const donations = await inTransaction(store, async (tx) => {
    const added = [];
    for (let n = 0; n < count; n += 1) {
      const donation = {
        invoiceId: donationId,
        projectId,
        txid: randomBytes(32).toString('hex'),
        amount: 1000n,
      };
      added.push(await insertOverlayDonation(tx, donation));
    }
    return added.filter((donation) => donation !== null);
  });
  beforePublishing?.();
  await publishOverlayDonations(store, donations);
  return Number(donations.at(-1)?.id);
}

async function change(
  store: Store,
  publicIds: readonly string[],
  beforePublishing?: () => void,
): Promise<void> {
  const changed = await store.sql<{ publicId: string; version: number }[]>`
    update invoices set version = version + 1 where public_id = any (${[...publicIds]}::text[])
    returning public_id as "publicId", version`;
  beforePublishing?.();
  await publishInvoicesChanged(store, changed);
}
