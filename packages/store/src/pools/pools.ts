import type { InvoiceType } from '@paywatch/domain/contract';
import { classesFor } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import { isPaid } from './pool-returns.ts';

/**
 * Ends the leases of invoices that have reached their outcome. An address that ever received a payment is retired, unless all
 * payments are void for good; otherwise it becomes free after its quarantine. An address that nobody can know needs no
 * quarantine: its release is dated 1970, and its lease is deleted, since no payment can belong to it. Kept leases would
 * accumulate without bound for an address that is leased every two minutes. Safe to repeat.
 */
export async function releaseLeases(tx: TransactionSql, invoiceIds: readonly bigint[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx`
    with ended as materialized (
      select l.id, l.currency, l.script, l.pool_id, l.address_index, not ${isKnown(tx)} as is_unknown
      from address_leases l join invoices i on i.id = l.invoice_id
      where l.invoice_id = any(${tx.array([...invoiceIds])}::bigint[]) and l.released_at is null
    ), released as (
      update address_leases l set released_at = now() from ended e
      where l.id = e.id and not e.is_unknown and l.released_at is null
      returning e.*
    ), deleted as (
      delete from address_leases l using ended e
      where l.id = e.id and e.is_unknown and l.released_at is null
      returning e.*
    )
    update pool_addresses a
    set
      state = case when paid.ever then 'retired' else 'free' end,
      released_at = case when paid.ever then null when r.is_unknown then to_timestamp(0) else now() end,
      donor_network = case when paid.ever or r.is_unknown then null else a.donor_network end
    from (select * from released union all select * from deleted) r
    cross join lateral (
      -- Over all leases of the script and payments without an invoice: an earlier payment retires the address, too.
      select ${isPaid(tx, {
        currency: tx`r.currency`,
        script: tx`r.script`,
        tipHeight: tx`coalesce((select c.tip_height from chains c where c.currency = r.currency), 0)`,
      })} as ever
    ) paid
    where a.pool_id = r.pool_id and a.address_index = r.address_index and a.state = 'leased'`;
}

/**
 * Whether anybody can know the address of invoice `i`: it was shown, or a payment is recorded, void or not. Webhooks and views
 * contain the address of a donation with a payment. `create-invoice.sql` has the same condition.
 */
function isKnown(tx: TransactionSql) {
  return tx`(i.shown_at is not null or exists (select from payments p where p.invoice_id = i.id offset 0))`;
}

/** NOTIFY channel: the pool in the payload needs a refill. */
export const POOLS_CHANNEL = 'paywatch_pools';

/** Notifies the watchers that a pool needs a refill, at the end of an open transaction. If that is lost, the refill polls. */
export async function requestRefill(sql: AnySql, poolId: bigint): Promise<void> {
  await sql`select pg_notify(${POOLS_CHANNEL}, ${poolId.toString()})`;
}

/** A request for an address that found none. */
export type PoolRequest = {
  projectId: bigint;
  currency: Currency;
  invoiceType: InvoiceType;
  quarantineSeconds: number;
};

/** About how long addresses take to become leasable if they are not derived or not promoted yet. */
const REFILL_SECONDS = 2;

/**
 * Seconds until the quarantine of a released address ends or a running refill is done; null if that is unknown: other addresses
 * become free when somebody pays or an invoice expires, and none does while the chain view is stale.
 */
export async function secondsUntilNextAddress(sql: AnySql, request: PoolRequest): Promise<number | null> {
  const owner = [...classesFor({ invoiceType: request.invoiceType, isOwner: true })];
  const guest = [...classesFor({ invoiceType: request.invoiceType, isOwner: false })];
  const [row] = await sql<{ needs_refill: boolean; seconds: number | null }[]>`
    with pool as (
      select p.id,
        greatest(p.last_used_index, p.start_index - 1) + least(w.gap_limit, p.gap_limit) as highest_index,
        p.derived_until, p.limited_since is not null as is_limited,
        case when p.owner_project_id = ${request.projectId} then ${owner}::text[] else ${guest}::text[] end as classes
      from wallets w join pools p on p.id = w.pool_id
      where w.project_id = ${request.projectId} and w.currency = ${request.currency} and w.status = 'verified'
    )
    , chain as (
      select from chains c where c.currency = ${request.currency} and c.stale_since is null
        and c.checked_at >= now() - make_interval(secs => ${STALE_AFTER_SECONDS}::int)
    )
    select
      exists (select from chain) and ((pool.derived_until <= pool.highest_index and not pool.is_limited) or exists (
        select from pool_addresses a
        where a.pool_id = pool.id and a.state = 'derived' and a.address_index <= pool.highest_index
          and a.address_class = any (pool.classes))) as needs_refill,
      (select ceil(extract(epoch from
          min(a.released_at) + make_interval(secs => ${request.quarantineSeconds}::int) - now()))::int
        from pool_addresses a
        where a.pool_id = pool.id and a.state = 'free' and a.last_project_id = ${request.projectId}
          and a.released_at is not null and a.address_index <= pool.highest_index
          and a.address_class = any (pool.classes)
          and (not a.donated or ${request.invoiceType === 'donation'})
          and exists (select from chain)) as seconds
    from pool`;
  if (!row) return null;
  if (row.needs_refill) return REFILL_SECONDS;
  // An address without quarantine has a release date in the past.
  return row.seconds === null ? null : Math.max(0, row.seconds);
}

/** A wallet's pool, for its owner. */
export type PoolState = {
  poolId: bigint;
  /** One past the highest index ever leased. */
  nextIndex: number;
  /** Leasable to an order now. Reused addresses count up to the gap limit. */
  free: number;
  leased: number;
  /** In quarantine after an unpaid invoice. */
  quarantined: number;
  /** Whether the limit of the owner's account prevents the derivation of addresses in the window. */
  isLimited: boolean;
};

/** The pools of a project's wallets by wallet id; replaced wallets are left out. */
export async function loadPoolStates(
  sql: AnySql,
  projectId: bigint,
  quarantineSeconds: number,
): Promise<Map<bigint, PoolState>> {
  const rows = await sql<(PoolState & { walletId: bigint })[]>`
    select w.id as "walletId", w.pool_id as "poolId", ${nextIndex(sql)} as "nextIndex",
      p.limited_since is not null as "isLimited", counts.*
    from wallets w
    join pools p on p.id = w.pool_id
    cross join lateral (${countAddresses(sql, quarantineSeconds)}) counts
    where w.project_id = ${projectId} and w.status <> 'replaced'`;
  return new Map(rows.map(({ walletId, ...state }) => [walletId, state]));
}

/**
 * The addresses that wallet `w` has in pool `p` for orders: `free`, `leased` and `quarantined`. Paid addresses are not read,
 * because a pool accumulates them: free addresses are counted in two indexes over just these, leased ones as open invoices.
 * Reused addresses accumulate with expired invoices while fresh ones are leased first, so they count up to the gap limit.
 * `free` leaves out addresses that are only derived, and those that only donations may lease.
 */
export function countAddresses(sql: AnySql, quarantineSeconds: number) {
  const owner = [...classesFor({ invoiceType: 'order', isOwner: true })];
  const guest = [...classesFor({ invoiceType: 'order', isOwner: false })];
  return sql`
    select
      fresh.count + released.rested as free,
      (select count(*)::int from invoices i
        where i.project_id = w.project_id and i.status in ('new', 'pending') and i.pool_id = p.id) as leased,
      released.resting as quarantined
    from (values (
      greatest(p.last_used_index, p.start_index - 1) + least(w.gap_limit, p.gap_limit),
      case when p.owner_project_id = w.project_id then ${owner}::text[] else ${guest}::text[] end
    )) as reach (highest_index, classes)
    cross join lateral (
      select count(*)::int as count from pool_addresses a
      where a.pool_id = p.id and a.address_class = any (reach.classes) and a.address_index <= reach.highest_index
        and a.state = 'free' and a.released_at is null
    ) fresh
    cross join lateral (values (now() - make_interval(secs => ${quarantineSeconds}::int))) as rest (until)
    cross join lateral (
      select
        (select count(*)::int from pool_addresses a
          where a.pool_id = p.id and a.last_project_id = w.project_id and a.donated = any ('{f,t}') and a.state = 'free'
            and a.released_at > rest.until) as resting,
        (select count(*)::int from (
          select from pool_addresses a
          where a.pool_id = p.id and a.last_project_id = w.project_id and not a.donated and a.state = 'free'
            and a.released_at <= rest.until and a.address_index <= reach.highest_index
            and a.address_class = any (reach.classes)
          limit p.gap_limit) enough) as rested
    ) released`;
}

/**
 * One past the highest index that pool `p` ever leased. Not a column, because concurrent leases would wait for each other to
 * raise it.
 */
export function nextIndex(sql: AnySql) {
  return sql`greatest(1, p.start_index, p.next_index, (
    select a.address_index + 1 from pool_addresses a
    where a.pool_id = p.id and a.lease_count > 0 order by a.address_index desc limit 1))`;
}
