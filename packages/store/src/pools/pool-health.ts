import { decidePoolHealth, type PoolHealth } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import { countAddresses } from './pools.ts';

/** A pool whose health changed, with its current counts. */
export type PoolHealthChange = {
  poolId: bigint;
  projectId: bigint;
  currency: Currency;
  health: PoolHealth;
  gapLimit: number;
  free: number;
  leased: number;
  quarantined: number;
};

type Checked = PoolHealthChange & { before: PoolHealth };

/**
 * Counts and stores the addresses that a pool has left. Returns the change of its health, if any; of concurrent callers exactly
 * one gets each change. Null for an unowned pool and one that is not open yet, too.
 */
export async function checkPoolHealth(
  sql: AnySql,
  poolId: bigint,
  quarantineSeconds: number,
): Promise<PoolHealthChange | null> {
  const [pool] = await sql<Omit<Checked, 'health'>[]>`
    select p.id as "poolId", w.project_id as "projectId", p.currency, p.gap_limit as "gapLimit", p.health as before, counts.*
    from pools p
    join wallets w on w.pool_id = p.id and w.project_id = p.owner_project_id and w.status = 'verified'
    cross join lateral (${countAddresses(sql, quarantineSeconds)}) counts
    where p.id = ${poolId} and p.history_checked_at is not null`;
  if (!pool) return null;
  const { before, ...counted } = pool;
  const health = decidePoolHealth(counted, before);
  const { free, leased, quarantined } = counted;
  const stored = await sql`
    update pools set health = ${health}, free = ${free}, leased = ${leased}, quarantined = ${quarantined}
    where id = ${poolId} and health = ${before}`;
  return stored.count > 0 && health !== before ? { ...counted, health } : null;
}

/** Pools that were low or dry at their last check, and the next `limit` pools after this id, whatever their health. */
export async function findPoolsToCheck(
  sql: AnySql,
  { after, limit }: { after: bigint; limit: number },
): Promise<{ short: bigint[]; next: bigint[] }> {
  const [short, next] = await Promise.all([
    sql<{ id: bigint }[]>`select id from pools where health <> 'ample' order by id limit ${limit}`,
    sql<{ id: bigint }[]>`
      select id from pools where id > ${after} and owner_project_id is not null order by id limit ${limit}`,
  ]);
  return { short: short.map(({ id }) => id), next: next.map(({ id }) => id) };
}

/** All pools of a currency, as of their last check. */
export type PoolFigures = {
  currency: Currency;
  free: number;
  leased: number;
  quarantined: number;
  ample: number;
  low: number;
  dry: number;
  /** The lowest ratio of free addresses to the gap limit of any pool. */
  lowestFreeShare: number;
};

/** One row for each currency with an open pool. Reads a row for each pool: for metrics, not for requests. */
export async function readPoolFigures(sql: AnySql): Promise<PoolFigures[]> {
  return sql<PoolFigures[]>`
    select currency, sum(free)::int as free, sum(leased)::int as leased, sum(quarantined)::int as quarantined,
      count(*) filter (where health = 'ample')::int as ample, count(*) filter (where health = 'low')::int as low,
      count(*) filter (where health = 'dry')::int as dry, min(free::float8 / gap_limit) as "lowestFreeShare"
    from pools where owner_project_id is not null and history_checked_at is not null
    group by currency`;
}
