import { createLogger } from '@paywatch/runtime/observability';
import { systemClock } from '@paywatch/runtime/process';
import { openStore, type Store } from '@paywatch/store';
import { advanceTip, beginChain, acquireLeadership, enqueueBlocks } from '@paywatch/store/chain';
import type { WatcherContext } from '@paywatch/watcher/context';
import { scanBlock } from '@paywatch/watcher/scan-block';
import { settleDueDecisions } from '@paywatch/watcher/settle-due';
import { snapshotSettings } from '../create-invoice/snapshot-settings.ts';
import type { SyntheticBlock } from './synthetic-block.ts';

const PROCESS_ID = 'bench';
const NETWORK = 'regtest';
/** Rows per statement. */
const CHUNK = 100_000;
/** Amount of each open invoice; the generated blocks pay at least 1,000. */
const EXPECTED = 1000;

/** A store with many leased scripts, some of whose invoices wait for a payment, and the steps of a watcher. */
export type ScanStage = {
  store: Store;
  context: WatcherContext;
  /** The number of scripts, counted from the first, that have an open invoice. */
  openInvoices: number;
  /** Replaces all leases by as many, starting at script number `first`. */
  leaseInstead(first: number): Promise<void>;
  /** Enqueues a block for scanning, as the leader of the chain does. */
  enqueue(block: SyntheticBlock): Promise<void>;
  /** Scans the enqueued block as a watcher does. Returns how many of its transactions concern us. */
  scan(block: SyntheticBlock): Promise<number>;
  /** Moves the tip to the scanned block and settles the affected invoices. Returns the number of confirmed invoices. */
  settle(): Promise<number>;
};

/** Leases `scripts` scripts in Postgres. */
export async function setScanStage(
  parts: AsyncDisposableStack,
  servers: { databaseUrl: string; redisUrl: string; redisPrefix: string },
  counts: { scripts: number; openInvoices: number },
): Promise<ScanStage> {
  const store = openStore({
    ...servers,
    role: 'worker',
    applicationName: 'paywatch-bench',
    onRedisError: () => undefined,
  });
  parts.defer(store.close);
  await openPool(store);
  await lease(store, { first: 1, count: counts.scripts, open: counts.openInvoices });
  await store.sql`vacuum analyze`;
  const genesis = { height: 0, hash: '00'.repeat(32), prevHash: '00'.repeat(32), timeMs: 0 };
  await beginChain(store, 'BTC', NETWORK, [genesis]);
  const settings = snapshotSettings(NETWORK);
  const context: WatcherContext = {
    store,
    settings,
    logger: createLogger({ service: 'bench', level: 'silent' }),
    clock: systemClock,
    quarantineSeconds: settings.quarantineSeconds,
    accountAddresses: 2000,
  };
  let height = 0;
  return {
    store,
    context,
    openInvoices: counts.openInvoices,
    leaseInstead: async (first) => {
      await store.sql`truncate invoices, pool_addresses, address_leases cascade`;
      await lease(store, { first, count: counts.scripts, open: counts.openInvoices });
    },
    enqueue: async ({ hash, prevHash, timeMs }) => {
      height += 1;
      await acquireLeadership(store, 'BTC', PROCESS_ID);
      const isWanted = await enqueueBlocks(store, 'BTC', PROCESS_ID, [{ height, hash, prevHash, timeMs }]);
      if (!isWanted) throw new Error('the block does not extend the last one');
    },
    scan: async ({ hash, bytes }) => {
      const source = { name: 'bench', getBlock: () => Promise.resolve(bytes) };
      const { matched } = await scanBlock(context, source, 'BTC', { height, hash });
      return matched;
    },
    settle: async () => {
      await advanceTip(store, 'BTC');
      await settleDueDecisions(context, 'BTC');
      const [row] = await store.sql<{ count: bigint }[]>`
        select count(*) as count from invoices where status = 'confirmed'`;
      return Number(row?.count);
    },
  };
}

/** The script of a lease, derived from the hash of its number. */
export function leasedScript(sha256OfNumber: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('0014', 'hex'), sha256OfNumber.subarray(0, 20)]);
}

/** Inserts a shop with the pool of all leases. */
async function openPool({ sql }: Store): Promise<void> {
  await sql`
    with account as (
      insert into accounts (email, password_hash) values ('shop@example.org', 'none') returning id
    ), project as (
      insert into projects (account_id, name, donate_token, overlay_token)
      select id, 'Shop', 'donate', 'overlay' from account returning id
    )
    insert into pools (currency, key_id, xpub, script_type, branch, owner_project_id, gap_limit)
    select 'BTC', 'bench', 'xpub', 'p2wpkh', 0, id, 100000 from project`;
}

/** `count` leases from number `first`; the first `open` of them have an invoice that waits for a payment. */
type Leases = { first: number; count: number; open: number };

async function lease({ sql }: Store, { first, count, open }: Leases): Promise<void> {
  const lastOpen = first + open - 1;
  await sql`
    insert into pool_addresses (pool_id, address_index, script, address, address_class, state, lease_count)
    select p.id, n, '\\x0014' || substr(sha256(int8send(n)), 1, 20), 'address-' || n, 'any', 'leased', 1
    from pools p, generate_series(${first}::bigint, ${lastOpen}::bigint) n`;
  await sql`
    insert into invoices (id, public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at)
    overriding system value
    select a.address_index, 'inv_' || a.address_index, p.owner_project_id, 'order', 'BTC', p.id, a.address_index, a.address,
      a.script, false, ${EXPECTED}, 1, 3600, now() + interval '1 hour', now() + interval '1 hour'
    from pool_addresses a join pools p on p.id = a.pool_id`;
  for (let from = first; from < first + count; from += CHUNK) {
    const to = Math.min(first + count, from + CHUNK) - 1;
    await sql`
      insert into address_leases (currency, script, pool_id, address_index, invoice_id, leased_at, released_at)
      select 'BTC', '\\x0014' || substr(sha256(int8send(n)), 1, 20), p.id, n, n, now() - interval '2 hours',
        case when n > ${lastOpen} then now() - interval '1 hour' end
      from pools p, generate_series(${from}::bigint, ${to}::bigint) n`;
    // One in four was paid, by a transaction with two inputs.
    await sql`
      insert into transaction_inputs (currency, spent_txid, spent_vout, txid)
      select 'BTC', sha256(int8send(-n)), n % 2, sha256(int8send(-n / 4))
      from generate_series(${from}::bigint, ${to}::bigint, 2) n
      on conflict do nothing`;
  }
}
