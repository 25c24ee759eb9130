import { decidePoolHealth, type PoolHealth } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import { countAddresses } from './pools.ts';

/** What a pool has for its owner, and that its health is another one than before. */
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
 * Counts what a pool has left, and stores it. Answers the change of its health where there is one: of many processes that look at
 * the same pool exactly one is answered each change. Null too for a pool without an owner, or one that is not open yet.
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

/** Pools that were short when they were last looked at, and the next `limit` others after this id, wherever they stand. */
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

/** All pools of a currency together, as they were last looked at. */
export type PoolFigures = {
  currency: Currency;
  free: number;
  leased: number;
  quarantined: number;
  ample: number;
  low: number;
  dry: number;
  /** Of the pool that has least left, its free addresses by its gap limit. */
  lowestFreeShare: number;
};

/** One row for each currency that has an open pool. Reads a line for each pool: for a scrape, not for a request. */
export async function readPoolFigures(sql: AnySql): Promise<PoolFigures[]> {
  return sql<PoolFigures[]>`
    select currency, sum(free)::int as free, sum(leased)::int as leased, sum(quarantined)::int as quarantined,
      count(*) filter (where health = 'ample')::int as ample, count(*) filter (where health = 'low')::int as low,
      count(*) filter (where health = 'dry')::int as dry, min(free::float8 / gap_limit) as "lowestFreeShare"
    from pools where owner_project_id is not null and history_checked_at is not null
    group by currency`;
}
