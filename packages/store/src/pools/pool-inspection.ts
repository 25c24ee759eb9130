import type { ScriptType } from '@paywatch/domain/chain';
import type { AddressClass } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import type { WalletStatus } from '../schema/wallets.ts';
import { nextIndex } from './pools.ts';

/** The pool of a project's wallet, for the operator. Never contains the extended key. */
export type PoolInspection = {
  poolId: bigint;
  walletStatus: Exclude<WalletStatus, 'replaced'>;
  scriptType: ScriptType;
  derivationPath: string | null;
  branch: number;
  verificationAddress: string;
  /** The project was the first to verify the key. */
  isOwner: boolean;
  /** The number of projects whose wallets use the pool. */
  projects: number;
  gapLimit: number;
  startIndex: number;
  /** Highest index that received something in a block; null if there is none. */
  lastUsedIndex: number | null;
  nextIndex: number;
  /** The highest index that may be leased now. */
  highestIndex: number;
  derivedUntil: number;
  /** Since when the limit of the owner's account has prevented further derivation; null if it does not. */
  limitedSince: Date | null;
  /** When its first addresses became leasable; null before that. */
  historyCheckedAt: Date | null;
  /** Since when a history read has been pending; null if none is. */
  historyWantedAt: Date | null;
  oldestLeaseAt: Date | null;
  addresses: ClassCount[];
};

/** Address counts of one class by state; see `pool_addresses`. */
type ClassCount = {
  addressClass: AddressClass;
  /** Watched, but not leasable before the chain was read. */
  derived: number;
  fresh: number;
  leased: number;
  /** Leasable again after the quarantine: the invoice that held it was not paid, or all its payments are void. */
  released: number;
  /** Received something. */
  retired: number;
};

/**
 * The pools of a project's serving wallet and of wallets that wait to take effect or for verification. Counts all addresses of
 * these pools.
 */
export async function inspectPools(
  { sql }: { sql: AnySql },
  projectId: bigint,
  currency: Currency,
): Promise<PoolInspection[]> {
  const pools = await sql<Omit<PoolInspection, 'addresses'>[]>`
    select p.id as "poolId", w.status as "walletStatus", p.script_type as "scriptType",
      w.derivation_path as "derivationPath", p.branch, w.verification_address as "verificationAddress",
      coalesce(p.owner_project_id = w.project_id, false) as "isOwner",
      (select count(distinct o.project_id)::int from wallets o
        where o.pool_id = p.id and o.status <> 'replaced') as projects,
      p.gap_limit as "gapLimit", p.start_index as "startIndex",
      case when p.last_used_index >= greatest(p.start_index, 0) then p.last_used_index end as "lastUsedIndex",
      ${nextIndex(sql)} as "nextIndex",
      greatest(p.last_used_index, p.start_index - 1) + least(w.gap_limit, p.gap_limit) as "highestIndex",
      p.derived_until as "derivedUntil", p.limited_since as "limitedSince", p.history_checked_at as "historyCheckedAt",
      p.history_wanted_at as "historyWantedAt",
      (select min(l.leased_at) from pool_addresses a
        join address_leases l on l.script = a.script and l.currency = p.currency and l.released_at is null
        where a.pool_id = p.id and a.state = 'leased') as "oldestLeaseAt"
    from wallets w join pools p on p.id = w.pool_id
    where w.project_id = ${projectId} and w.currency = ${currency} and w.status <> 'replaced'
    order by array_position(array['verified', 'pending', 'unverified'], w.status)`;
  return Promise.all(
    pools.map(async (pool) => ({ ...pool, addresses: await countByClass(sql, pool.poolId) })),
  );
}

async function countByClass(sql: AnySql, poolId: bigint): Promise<ClassCount[]> {
  return sql<ClassCount[]>`
    select address_class as "addressClass",
      count(*) filter (where state = 'derived')::int as derived,
      count(*) filter (where state = 'free' and released_at is null)::int as fresh,
      count(*) filter (where state = 'leased')::int as leased,
      count(*) filter (where state = 'free' and released_at is not null)::int as released,
      count(*) filter (where state = 'retired')::int as retired
    from pool_addresses where pool_id = ${poolId}
    group by address_class
    order by array_position(array['orders', 'any', 'guests'], address_class)`;
}
