import type { TransactionProbe } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql, Sql } from '../postgres/database.ts';
import { createHashSet, type HashSet } from './hash-set.ts';

/**
 * Rejects almost every irrelevant output and input without a query: a block has thousands of them, and each would cost Postgres
 * an index lookup. Whatever passes is looked up. A rejected script was neither derived nor leased, and a rejected outpoint is
 * spent by no recorded transaction, as of the call to `currentFilter`.
 */
export type MatchFilter = TransactionProbe;

/** Whether a recorded transaction may spend the same outpoint. */
export function mayBeSpent({ maySpend }: MatchFilter, claim: { txid: string; vout: number }): boolean {
  const outpoint = outpointOf({ spent_txid: Buffer.from(claim.txid, 'hex'), spent_vout: claim.vout });
  return maySpend(outpoint, 0, outpoint.length);
}

/** The derived scripts and spent outpoints that a process holds in memory; empty at its start. */
export type FilterMemory = Map<Currency, 'loading' | Loaded>;

/** `horizon`: every row of an earlier transaction is in the sets. */
type Loaded = { scripts: HashSet; outpoints: HashSet; horizon: string };

type FilterStore = { sql: Sql; filters: FilterMemory };

/** Rows read at once while a filter is loaded. */
const PAGE = 20_000;
/** A filter that has missed more rows than this is loaded again in the background. */
const MAX_MISSED = 20_000;

/**
 * The current filter: it contains everything committed before this call. Null while it is being loaded, which the first call
 * starts; then everything has to be looked up. Costs one statement over what was added since the last call. In a transaction,
 * it contains everything committed before the transaction's earlier locks were granted.
 */
export async function currentFilter(
  store: FilterStore,
  currency: Currency,
  sql: AnySql = store.sql,
): Promise<MatchFilter | null> {
  const memory = store.filters.get(currency);
  if (memory === 'loading') return null;
  if (memory === undefined || !(await catchUp(sql, currency, memory))) {
    loadBeside(store, currency);
    return null;
  }
  return { mayPay: memory.scripts.mayHave, maySpend: memory.outpoints.mayHave };
}

/** A failed load leaves nothing behind: the next match starts another one. */
function loadBeside({ sql, filters }: FilterStore, currency: Currency): void {
  filters.set(currency, 'loading');
  load(sql, currency).then(
    (loaded) => filters.set(currency, loaded),
    () => filters.delete(currency),
  );
}

async function load(sql: Sql, currency: Currency): Promise<Loaded> {
  // First: whatever commits while the pages are read is in none of them, and is read again from here on.
  const [row] = await sql<{ horizon: string; leases: number }[]>`
    select ${horizonNow(sql)} as horizon, (select coalesce(max(id), 0) from address_leases)::int as leases`;
  if (!row) throw new Error(`${currency}: Postgres returned no snapshot`);
  const scripts = createHashSet(row.leases);
  for await (const page of addressPages(sql, currency)) for (const { script } of page) scripts.add(script);
  for await (const page of leasePages(sql, currency)) for (const { script } of page) scripts.add(script);
  const outpoints = createHashSet(row.leases);
  for await (const page of inputPages(sql, currency))
    for (const spent of page) outpoints.add(outpointOf(spent));
  return { scripts, outpoints, horizon: row.horizon };
}

type SpentRow = { spent_txid: Buffer; spent_vout: number };

type AddressRow = { poolId: bigint; addressIndex: number; script: Buffer };

async function* addressPages(sql: Sql, currency: Currency): AsyncGenerator<AddressRow[]> {
  const beginning = { poolId: 0n, addressIndex: 0 };
  for (let after: Omit<AddressRow, 'script'> | undefined = beginning; after !== undefined;) {
    const page: AddressRow[] = await sql`
      select a.pool_id as "poolId", a.address_index as "addressIndex", a.script
      from pool_addresses a
      where (a.pool_id, a.address_index) > (${after.poolId}, ${after.addressIndex})
        and (select p.currency from pools p where p.id = a.pool_id) = ${currency}
      order by a.pool_id, a.address_index limit ${PAGE}`;
    yield page;
    after = page.length < PAGE ? undefined : page.at(-1);
  }
}

async function* leasePages(sql: Sql, currency: Currency): AsyncGenerator<{ id: bigint; script: Buffer }[]> {
  for (let after: bigint | undefined = 0n; after !== undefined;) {
    const page: { id: bigint; script: Buffer }[] = await sql`
      select id, script from address_leases where currency = ${currency} and id > ${after} order by id limit ${PAGE}`;
    yield page;
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
}

async function* inputPages(sql: Sql, currency: Currency): AsyncGenerator<SpentRow[]> {
  const beginning: SpentRow = { spent_txid: Buffer.alloc(0), spent_vout: 0 };
  for (let after: SpentRow | undefined = beginning; after !== undefined;) {
    const page: SpentRow[] = await sql`
      select distinct spent_txid, spent_vout from transaction_inputs
      where currency = ${currency} and (spent_txid, spent_vout) > (${after.spent_txid}, ${after.spent_vout})
      order by spent_txid, spent_vout limit ${PAGE}`;
    yield page;
    after = page.length < PAGE ? undefined : page.at(-1);
  }
}

type Missed = { horizon: string; leased: Buffer[]; derived: Buffer[]; txids: Buffer[]; vouts: number[] };

/** Adds what was committed since. False if that is too much. */
async function catchUp(sql: AnySql, currency: Currency, memory: Loaded): Promise<boolean> {
  // Rows of a restored dump carry transaction numbers of another server; those in this server's future do not count.
  const isMissed = sql`recorded_in >= ${memory.horizon}::xid8
    and recorded_in < pg_snapshot_xmax(pg_current_snapshot())`;
  const [row] = await sql<Missed[]>`
    with spent as materialized (
      select spent_txid, spent_vout from transaction_inputs
      where currency = ${currency} and ${isMissed} limit ${MAX_MISSED + 1})
    select ${horizonNow(sql)} as horizon,
      array(select script from address_leases
            where currency = ${currency} and ${isMissed} limit ${MAX_MISSED + 1}) as leased,
      array(select script from pool_addresses a where ${isMissed}
            and (select p.currency from pools p where p.id = a.pool_id) = ${currency} limit ${MAX_MISSED + 1}) as derived,
      array(select spent_txid from spent) as txids, array(select spent_vout from spent) as vouts`;
  if (!row || Math.max(row.leased.length, row.derived.length, row.txids.length) > MAX_MISSED) return false;
  for (const script of [...row.leased, ...row.derived]) memory.scripts.add(script);
  for (const [index, txid] of row.txids.entries()) {
    memory.outpoints.add(outpointOf({ spent_txid: txid, spent_vout: row.vouts[index] ?? 0 }));
  }
  memory.horizon = row.horizon;
  return true;
}

/** The oldest transaction that may still commit: what this statement does not see belongs to it or a later one. */
function horizonNow(sql: AnySql) {
  return sql`pg_snapshot_xmin(pg_current_snapshot())::text`;
}

/** In the byte order of transactions: the txid reversed. */
function outpointOf({ spent_txid, spent_vout }: SpentRow): Uint8Array {
  const outpoint = Buffer.alloc(36);
  outpoint.set(spent_txid);
  outpoint.subarray(0, 32).reverse();
  outpoint.writeUInt32LE(spent_vout, 32);
  return outpoint;
}
