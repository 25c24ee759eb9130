import { classOf } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import { POOLS_CHANNEL } from '../../pools/pools.ts';
import type { TransactionSql } from '../../postgres/database.ts';
import { type OrderImport, type OrderRefusal, type Positioned, hexOf } from './imported-orders.ts';

/** The pool of the verified wallet, or why nothing can be imported into it. */
export async function findOwnPool(
  tx: TransactionSql,
  projectId: bigint,
  currency: Currency,
): Promise<bigint | 'no_wallet' | 'not_owner' | 'no_subscription'> {
  const [row] = await tx<{ poolId: bigint | null; isOwner: boolean; isSubscribed: boolean }[]>`
    select w.pool_id as "poolId", coalesce(o.owner_project_id = p.id, false) as "isOwner",
      coalesce(p.subscription_active_until > now(), false) as "isSubscribed"
    from projects p
    left join wallets w on w.project_id = p.id and w.currency = ${currency} and w.status = 'verified'
    left join pools o on o.id = w.pool_id
    where p.id = ${projectId}`;
  if (row?.isSubscribed !== true) return 'no_subscription';
  if (row.poolId === null) return 'no_wallet';
  return row.isOwner ? row.poolId : 'not_owner';
}

export async function findRefusals(
  tx: TransactionSql,
  poolId: bigint,
  currency: Currency,
  orders: readonly Positioned[],
): Promise<OrderImport['refusals']> {
  // All of them are locked: no invoice can lease one before this transaction ends, and a lease in progress is waited for.
  const locked = await tx<{ index: number; leases: number }[]>`
    select address_index as index, lease_count as leases from pool_addresses
    where pool_id = ${poolId} and address_index = any (${orders.map((o) => o.addressIndex)}::int[])
    order by address_index for update`;
  const held = await tx<{ script: Buffer }[]>`
    select script from address_leases where currency = ${currency} and released_at is null
      and script = any (array(select decode(script, 'hex') from unnest(${orders.map(hexOf)}::text[]) script))`;
  const [row] = await tx<{ now: Date }[]>`select now() as now`;
  const givenOut = new Set(locked.filter(({ leases }) => leases > 0).map(({ index }) => index));
  const inUse = new Set(held.map(({ script }) => script.toString('hex')));
  const nowMs = row?.now.getTime() ?? 0;
  const reasonOf = (order: Positioned): OrderRefusal | null => {
    if (order.expiresAt.getTime() <= nowMs) return 'expired';
    if (givenOut.has(order.addressIndex)) return 'address_given_out';
    return inUse.has(hexOf(order)) ? 'address_in_use' : null;
  };
  return orders.flatMap((order) => {
    const reason = reasonOf(order);
    return reason === null ? [] : [{ position: order.position, reason }];
  });
}

/**
 * Retires the addresses of the orders for good, and every lower address that was never leased here, because the other system
 * gave them out. Returns the index after the highest one, where new leases start.
 */
export async function reserveIndexes(
  tx: TransactionSql,
  poolId: bigint,
  orders: readonly Positioned[],
): Promise<number> {
  const next = Math.max(...orders.map(({ addressIndex }) => addressIndex)) + 1;
  await tx`
    update pool_addresses set state = 'retired', released_at = null
    where pool_id = ${poolId} and address_index < ${next} and state in ('derived', 'free') and lease_count = 0`;
  const taken = await tx`
    insert into pool_addresses as a (pool_id, address_index, script, address, address_class, state, lease_count)
    select ${poolId}, o.address_index, decode(o.script, 'hex'), o.address, o.address_class, 'retired', 1
    from unnest(
      ${orders.map((order) => order.addressIndex)}::int[], ${orders.map(hexOf)}::text[],
      ${orders.map(({ address }) => address)}::text[], ${orders.map((order) => classOf(order.addressIndex))}::text[]
    ) as o (address_index, script, address, address_class)
    order by o.address_index
    on conflict (pool_id, address_index) do update set lease_count = 1 where a.lease_count = 0 and a.state = 'retired'`;
  if (taken.count !== orders.length) throw new Error('address was leased concurrently');
  // Last: recordings lock addresses before pools, too.
  const [pool] = await tx<{ startIndex: number }[]>`
    update pools set start_index = greatest(start_index, ${next}), derived_until = greatest(derived_until, ${next})
    where id = ${poolId} returning start_index as "startIndex"`;
  await tx`select pg_notify(${POOLS_CHANNEL}, ${String(poolId)})`;
  return pool?.startIndex ?? next;
}
