import type { Store } from '@paywatch/store';

/** All that a watcher writes, by table. */
export type State = Record<string, readonly unknown[]>;

/**
 * What is recorded now, in an order and a form that two runs share: without surrogate keys, random names and the moment at
 * which something was written.
 */
export async function readState({ sql }: Pick<Store, 'sql'>): Promise<State> {
  const tables = {
    chains: sql`select currency, tip_height, encode(tip_hash, 'hex') as tip, stale_since is null as fresh from chains`,
    blocks: sql`
      select currency, height, encode(hash, 'hex') as hash, scanned_at is not null as scanned
      from chain_blocks order by 1, 2`,
    transactions: sql`
      select encode(txid, 'hex') as txid, state, block_height, encode(block_hash, 'hex') as block, first_seen_at,
        absent_since is null as is_held
      from transactions order by 1`,
    inputs: sql`
      select encode(spent_txid, 'hex') as spent, spent_vout, encode(txid, 'hex') as txid
      from transaction_inputs order by 1, 2, 3`,
    payments: sql`
      select encode(txid, 'hex') as txid, vout, invoice_id, amount, first_seen_at, counted from payments order by 1, 2`,
    invoices: sql`
      select id, status, version, reversed, deadline_swept, deadline_at > now() as is_in_time,
        outcome_at is null as is_open, encode(payments_digest, 'hex') as digest
      from invoices order by 1`,
    events: sql`
      select e.invoice_id, e.type, encode(e.txid, 'hex') as txid, d.status as delivery, e.body::jsonb -> 'data' as data
      from events e left join deliveries d on d.event_id = e.id order by 1, 2, 3`,
    overlay: sql`select invoice_id, encode(txid, 'hex') as txid, amount from overlay_donations order by 1, 2`,
    leases: sql`select invoice_id, released_at is null as is_held from address_leases order by 1`,
    addresses: sql`select address_index, state, released_at is null as is_never_freed from pool_addresses order by 1`,
    stats: sql`
      select sum(confirmed) as confirmed, sum(btc_amount) as btc_amount, sum(btc_count) as btc_count,
        sum(ltc_amount) as ltc_amount, sum(ltc_count) as ltc_count, sum(status_new) as new,
        sum(status_pending) as pending, sum(status_confirmed) as all_confirmed, sum(status_underpaid) as underpaid,
        sum(status_expired) as expired, sum(status_late_payment) as late
      from project_stats`,
    due: sql`select invoice_id from due_decisions order by 1`,
    parked: sql`select invoice_id, attempts from parked_invoices order by 1`,
  };
  const entries = Object.entries(tables).map(async ([name, rows]) => [name, [...(await rows)]] as const);
  return Object.fromEntries(await Promise.all(entries));
}

const WRITTEN = [
  'chains',
  'chain_blocks',
  'transactions',
  'transaction_inputs',
  'payments',
  'invoices',
  'address_leases',
  'pool_addresses',
  'pools',
  'project_stats',
  'overlay_donations',
  'due_decisions',
  'parked_invoices',
  'events',
  'deliveries',
] as const;

/** Saves the current records. The returned function restores them, any number of times. */
export async function rememberState({ sql }: Pick<Store, 'sql'>): Promise<() => Promise<void>> {
  const memory = `memory_${process.hrtime.bigint()}`;
  await sql`create schema ${sql(memory)}`;
  for (const table of WRITTEN) {
    await sql`create table ${sql(memory)}.${sql(table)} as table ${sql(table)}`;
  }
  const [moment] = await sql<{ at: string }[]>`select now()::text as at`;
  // On a slow machine a lead runs out, and a view turns stale, between one restoration and the next: both are as old as then.
  const passed = `(now() - '${moment!.at}'::timestamptz)`;
  const keepAges = `update chains set leader_until = leader_until + ${passed}, checked_at = checked_at + ${passed};`;
  // Deleted and not truncated, which waits for the disk.
  const restore = WRITTEN.map(
    (table) => `delete from ${table}; insert into ${table} overriding system value table ${memory}.${table};`,
  );
  return async () => {
    // One transaction in one message, without the checks of foreign keys: what others refer to is back at the end.
    await sql.begin((tx) =>
      tx.unsafe(`set local session_replication_role = replica; ${restore.join('')} ${keepAges}`),
    );
  };
}
