import type { Currency } from '@paywatch/domain/values';
import type { AnySql, Database, TransactionSql } from '../postgres/database.ts';
import { listen, type Listener } from '../postgres/listen.ts';
import { POOLS_CHANNEL } from './pools.ts';
import type { PoolAddressRef } from './pool-usage.ts';

/** NOTIFY channel: the currency in the payload has addresses to promote. */
const PROMOTIONS_CHANNEL = 'paywatch_promotions';

/** How long addresses of a verified wallet wait for an unresponsive source. */
const HISTORY_TIMEOUT_SECONDS = 120;

/**
 * Notifies the leader of a chain at the end of the transaction. If that is lost, the next complete read promotes the addresses.
 */
export async function requestPromotion(sql: AnySql, currency: Currency): Promise<void> {
  await sql`select pg_notify(${PROMOTIONS_CHANNEL}, ${currency})`;
}

/** Calls `onCurrency` when addresses wait for promotion, until it is stopped. */
export function listenForPromotions(
  database: Pick<Database, 'direct'>,
  onCurrency: (currency: string) => void,
): Promise<Listener> {
  return listen(database, PROMOTIONS_CHANNEL, onCurrency);
}

/** A watched address whose history was read, or whose history read timed out. */
export type PromotableAddress = PoolAddressRef & { script: Uint8Array; isHistoryAsked: boolean };

/** Addresses of one account that are promoted before it is the next account's turn. */
const SHARE = 100;

/**
 * Addresses that may become leasable if no mempool transaction pays them, except those in `except`: a share of each account,
 * then the next share. Within an account, pools that never leased an address come first.
 */
export async function findPromotable(
  sql: AnySql,
  currency: Currency,
  except: readonly PoolAddressRef[],
  limit: number,
): Promise<PromotableAddress[]> {
  return sql<PromotableAddress[]>`
    with waiting as (
      select a.pool_id, a.address_index, a.script, a.history_asked, row_number() over (
        partition by coalesce(p.owner_project_id, p.registered_by, -p.id)
        order by p.history_checked_at is not null, a.pool_id, a.address_index) as place
      from pool_addresses a join pools p on p.id = a.pool_id
      where a.state = 'derived' and p.currency = ${currency}
        and (a.history_asked or (p.owner_project_id is not null
          and p.history_wanted_at < now() - make_interval(secs => ${HISTORY_TIMEOUT_SECONDS})))
        and not exists (
          select from unnest(${except.map(({ poolId }) => String(poolId))}::bigint[],
                             ${except.map(({ addressIndex }) => addressIndex)}::int[]) as e (pool_id, address_index)
          where e.pool_id = a.pool_id and e.address_index = a.address_index)
    )
    select pool_id as "poolId", address_index as "addressIndex", script, history_asked as "isHistoryAsked"
    from waiting order by (place - 1) / ${SHARE}, pool_id, address_index limit ${limit}`;
}

/**
 * Makes derived addresses leasable, and wakes the refills of their pools at the commit. Call it under the locks of the chain and
 * of the addresses (`lockAddresses`): an address that a recorded payment has retired stays retired. Returns how many became
 * leasable.
 */
export async function promoteDerived(
  tx: TransactionSql,
  addresses: readonly PoolAddressRef[],
): Promise<number> {
  const { count } = await tx`
    with promoted as (
      update pool_addresses a set state = 'free'
      from unnest(${addresses.map(({ poolId }) => String(poolId))}::bigint[],
                  ${addresses.map(({ addressIndex }) => addressIndex)}::int[]) as clean (pool_id, address_index)
      where a.pool_id = clean.pool_id and a.address_index = clean.address_index and a.state = 'derived'
      returning a.pool_id
    ), opened as (
      update pools p set history_checked_at = now()
      where p.id in (
        select id from pools where id in (select pool_id from promoted) and history_checked_at is null
        order by id for no key update)
    ), woken as (
      select pg_notify(${POOLS_CHANNEL}, pool_id::text) from (select distinct pool_id from promoted) pools
    )
    select pool_id, (select count(*) from woken) from promoted`;
  return count;
}

/** Retires derived addresses that a mempool transaction pays. Runs in the transaction that promotes the others. */
export async function retireDerived(tx: TransactionSql, addresses: readonly PoolAddressRef[]): Promise<void> {
  if (addresses.length === 0) return;
  await tx`
    update pool_addresses a set state = 'retired'
    from unnest(${addresses.map(({ poolId }) => String(poolId))}::bigint[],
                ${addresses.map(({ addressIndex }) => addressIndex)}::int[]) as paid (pool_id, address_index)
    where a.pool_id = paid.pool_id and a.address_index = paid.address_index and a.state = 'derived'`;
}
