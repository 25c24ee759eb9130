import type { Currency } from '@paywatch/domain';
import { lockChain } from './chain-lead.ts';
import { inTransaction, type AnySql } from './database.ts';
import { requestPromotion } from './pool-promotions.ts';
import type { PoolAddressRef } from './pool-usage.ts';
import type { Store } from './store.ts';

/** A derived address that a source is to be asked about. */
export type UnaskedAddress = PoolAddressRef & { address: string; script: Uint8Array };

/** Addresses of a currency whose history was not asked for: those of one pool first, then of all others, lowest index first. */
export async function loadUnaskedAddresses(
  sql: AnySql,
  currency: Currency,
  poolId: bigint,
  limit: number,
): Promise<UnaskedAddress[]> {
  return sql<UnaskedAddress[]>`
    select a.pool_id as "poolId", a.address_index as "addressIndex", a.address, a.script
    from pool_addresses a join pools p on p.id = a.pool_id
    where not a.history_asked and a.state in ('derived', 'free') and p.currency = ${currency}
    order by a.pool_id <> ${poolId}, a.pool_id, a.address_index limit ${limit}`;
}

/** Notes since when a source is being asked; the first call counts. */
export async function noteHistoryWanted(sql: AnySql, poolId: bigint): Promise<void> {
  await sql`update pools set history_wanted_at = now() where id = ${poolId} and history_wanted_at is null`;
}

/** What an address received before it was watched: something in a block, something in a mempool only, or nothing. */
export type AnsweredAddress = PoolAddressRef & { history: 'confirmed' | 'unconfirmed' | 'none' };

/**
 * Stores what a source said. What received anything is never leased; the window begins behind the highest index that a block
 * paid. The rest waits for its promotion, which the leader of the chain is woken for. Safe to repeat.
 */
export async function storeHistories(
  store: Pick<Store, 'sql'>,
  currency: Currency,
  answers: readonly AnsweredAddress[],
): Promise<void> {
  if (answers.length === 0) return;
  await inTransaction(store, async (tx) => {
    // Whoever records payments locks these rows and pools, too.
    await lockChain(tx, currency);
    await tx`
      with answered as (
        select * from unnest(
          ${answers.map(({ poolId }) => String(poolId))}::bigint[],
          ${answers.map(({ addressIndex }) => addressIndex)}::int[],
          ${answers.map(({ history }) => history)}::text[]) as t (pool_id, address_index, history)
      ), asked as (
        update pool_addresses a set
          history_asked = true,
          has_history = a.has_history or h.history = 'confirmed',
          state = case when h.history = 'none' or a.state not in ('derived', 'free') then a.state else 'retired' end,
          released_at = case when h.history = 'none' then a.released_at end
        from answered h
        where a.pool_id = h.pool_id and a.address_index = h.address_index
        returning a.pool_id, a.address_index
      ), used as (
        select pool_id, coalesce(max(address_index) filter (where history = 'confirmed'), -1) as highest
        from answered group by pool_id
      )
      update pools p set
        last_used_index = greatest(p.last_used_index, u.highest),
        history_wanted_at = case when exists (
          select from pool_addresses a
          where a.pool_id = p.id and not a.history_asked and a.state in ('derived', 'free')
            and not exists (select from asked s where s.pool_id = a.pool_id and s.address_index = a.address_index)
        ) then p.history_wanted_at end
      from used u where p.id = u.pool_id`;
    await requestPromotion(tx, currency);
  });
}

/** Lets the addresses of a pool be leased without a history: no source of its chain can tell one. Safe to repeat. */
export async function skipHistories(
  store: Pick<Store, 'sql'>,
  currency: Currency,
  poolId: bigint,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await tx`
      update pool_addresses set history_asked = true
      where pool_id = ${poolId} and not history_asked and state in ('derived', 'free')`;
    await tx`
      update pools set history_wanted_at = null where id = ${poolId}`;
    await requestPromotion(tx, currency);
  });
}
