import type { StackService } from '@paywatch/dev/stack';
import { OVERLAY_TEMPLATES } from '@paywatch/domain/overlay';
import type { Store } from '@paywatch/store';
import { byOperator } from '@paywatch/store/accounts';
import { changeOverlaySettings, insertOverlayDonation } from '@paywatch/store/donations';
import { inTransaction } from '@paywatch/store/postgres';
import { publishInvoicesChanged, publishOverlayDonations } from '@paywatch/store/redis';
import { randomBytes } from 'node:crypto';
import { startBenchApi } from '../create-invoice/bench-api.ts';
import { startBenchServers } from '../shared/bench-servers.ts';

/** An overlay, and what the benchmark does with it. */
export type BenchOverlay = {
  title: string;
  path: string;
  includesSettings: boolean;
  /** Commits `count` donations, calls `beforePublishing`, publishes them. Returns the last position. */
  donate(count: number, beforePublishing?: () => void): Promise<number>;
  /** Commits the settings with this number, from 1 to 200, which notifies the replicas. */
  changeSettings(number: number): Promise<void>;
};

/** Postgres, Redis, one API replica, and the invoices and overlay that are streamed. */
export type StreamStage = {
  store: Store;
  api: StackService;
  overlay: BenchOverlay;
  /** An overlay with real names and messages, whose clients request the settings, with all tiers. */
  designedOverlay: BenchOverlay;
  statusPaths: readonly string[];
  /** Commits a new version of the invoices number `from` to `to`, calls `beforePublishing`, publishes it. */
  change(from: number, to: number, beforePublishing?: () => void): Promise<void>;
  /** Starts another replica. */
  addReplica(): Promise<StackService>;
};

/** Starts it on its own servers; `parts` stops it. */
export async function setStreamStage(parts: AsyncDisposableStack, invoices: number): Promise<StreamStage> {
  const servers = await startBenchServers(parts);
  const { store } = servers;
  const ids = await openInvoices(store, { name: 'bench', donation: SHORT, count: invoices });
  const designed = await openInvoices(store, { name: 'designed', donation: REAL, count: 0 });
  const addReplica = () => startBenchApi(parts, servers, { LOG_LEVEL: 'error', BTC_NETWORK: 'regtest' });
  return {
    store,
    api: await addReplica(),
    overlay: { ...overlayOf(store, ids, 'bench'), title: 'Overlay', includesSettings: false },
    designedOverlay: {
      ...overlayOf(store, designed, 'designed', '?include=settings'),
      title: 'Overlay with settings',
      includesSettings: true,
    },
    statusPaths: ids.publicIds.map((publicId) => `/v1/public/invoices/${publicId}/events`),
    change: (from, to, beforePublishing) => change(store, ids.publicIds.slice(from, to), beforePublishing),
    addReplica,
  };
}

const SHORT = { name: 'Donor', message: 'Keep going!' };
/** A message of the usual length, with characters that take several bytes. */
const REAL = {
  name: 'Zoë aus München ♥',
  message:
    'Danke für die Partie gestern, das Turmopfer war unglaublich! Grüße an alle im Chat 🎉 und viel Erfolg beim Turnier am Samstag.',
};

function overlayOf(
  store: Store,
  ids: Ids,
  name: string,
  query = '',
): Pick<BenchOverlay, 'path' | 'donate' | 'changeSettings'> {
  return {
    path: `/v1/public/overlay/overlay-${name}/events${query}`,
    donate: (count, beforePublishing) => donate(store, ids, count, beforePublishing),
    changeSettings: (number) => changeSettings(store, ids, number),
  };
}

type Ids = { projectId: bigint; donationId: bigint; publicIds: readonly string[] };

/** A project, what its donor writes, and how many orders it has. */
type NewProject = { name: string; donation: { name: string; message: string }; count: number };

/** Inserts a project with one donation, and `count` orders that wait for confirmations. */
async function openInvoices({ sql }: Store, { name, donation, count }: NewProject): Promise<Ids> {
  const [project] = await sql<{ id: bigint }[]>`
    with account as (
      insert into accounts (email, password_hash) values (${`${name}@example.org`}, 'none') returning id
    )
    insert into projects (account_id, name, donate_token, overlay_token)
    select id, 'Bench', ${`donate-${name}`}, ${`overlay-${name}`} from account returning id`;
  if (!project) throw new Error('the insert returns its row');
  // Free space on the pages keeps updates cheap: the benchmark measures streams, not storage.
  await sql`alter table invoices set (fillfactor = 40)`;
  const rows = await sql<{ id: bigint; public_id: string }[]>`
    insert into invoices (public_id, project_id, type, status, currency, pool_id, address_index, address, script,
                          address_reused, expected_amount, confirmations_required, donor_name, donor_message,
                          ttl_seconds, expires_at, deadline_at)
    select 'inv_' || translate(lpad(n::text, 8, '0') || lpad(${String(project.id)}, 8, '0'), '0', 'o'), ${project.id}, case n when 0 then 'donation' else 'order' end, 'pending', 'BTC',
           1, 0, 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', '\\x0014', false, 100000, 6, ${donation.name}, ${donation.message},
           86400, now() + interval '1 day', now() + interval '1 day'
    from generate_series(0, ${count}::int) n
    returning id, public_id`;
  const [first, ...orders] = rows;
  if (!first) throw new Error('the insert returns its rows');
  return { projectId: project.id, donationId: first.id, publicIds: orders.map((row) => row.public_id) };
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

/** All five tiers, as an account that uses the designs has them. */
async function changeSettings(store: Store, { projectId }: Ids, number: number): Promise<void> {
  const tiers = OVERLAY_TEMPLATES.slice(0, MAX_TIERS).map((template, index) => ({
    min_amount_btc: String((index + 1) * 10_000),
    min_amount_ltc: String((index + 1) * 1_000_000),
    template,
    image: 'heart' as const,
    image_upload: null,
    sound: 'fanfare' as const,
    sound_upload: null,
    duration_seconds: 8,
  }));
  const sentence = '{name} hat {amount} gespendet. Vielen Dank!';
  const settings = { template: 'neon', sentence, tiers, speech: true, speech_max_length: number } as const;
  await changeOverlaySettings(store, byOperator, projectId, settings);
}

const MAX_TIERS = 5;

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
