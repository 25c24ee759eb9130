import { classesFor } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';

/** The capacity that a project has left for donations in one currency. */
export type DonationCapacity = {
  currency: Currency;
  poolId: bigint;
  /** The addresses that donations may hold: half of the window, or a tenth if another project owns the pool. */
  capacity: number;
  /** Whether a donation could get an address now. */
  hasAddress: boolean;
  /** Less than half of the donation addresses are left, so a creation needs a proof of work. */
  isScarce: boolean;
  /** How many bits harder than the minimum the proof must be. */
  extraProofBits: number;
};

/** A proof of work is at most sixteen times as hard as the minimum. */
const MAX_EXTRA_BITS = 4;

/**
 * The capacity that each verified wallet of a project has left for donations. Counts addresses that create-invoice.sql could
 * lease, and derived ones that nobody leases yet because they are not examined: they become leasable within seconds. Counts only
 * up to half, where the answer is decided.
 */
export async function readDonationCapacity(
  sql: AnySql,
  projectId: bigint,
  quarantineSeconds: number,
): Promise<DonationCapacity[]> {
  const owner = [...classesFor({ invoiceType: 'donation', isOwner: true })];
  const guest = [...classesFor({ invoiceType: 'donation', isOwner: false })];
  const rows = await sql<(Omit<DonationCapacity, 'isScarce' | 'extraProofBits'> & Left)[]>`
    select w.currency, p.id as "poolId", lessee.capacity, fresh.count + rested.count + soon.count as left, wanted.half,
      fresh.count + rested.count > 0 as "hasAddress"
    from wallets w
    join pools p on p.id = w.pool_id
    left join chains c on c.currency = w.currency
    cross join lateral (values (
      greatest(p.last_used_index, p.start_index - 1) + least(w.gap_limit, p.gap_limit),
      coalesce(p.owner_project_id = w.project_id, false)
    )) as reach (highest_index, is_owner)
    cross join lateral (values (
      (least(reach.highest_index, p.derived_until - 1) - greatest(p.last_used_index, p.start_index - 1))
        / case when reach.is_owner then 2 else 10 end,
      case when reach.is_owner then ${owner}::text[] else ${guest}::text[] end
    )) as lessee (capacity, classes)
    -- At least one, even if no address is derived yet.
    cross join lateral (values (greatest(1, (lessee.capacity + 1) / 2))) as wanted (half)
    cross join lateral (
      select count(*)::int as count from (
        select from pool_addresses a
        where a.pool_id = p.id and a.address_class = any (lessee.classes) and a.address_index <= reach.highest_index
          and a.state = 'free' and a.released_at is null
        limit wanted.half) enough
    ) fresh
    cross join lateral (
      select count(*)::int as count from (
        select from pool_addresses a
        where c.stale_since is null and c.checked_at >= now() - make_interval(secs => ${STALE_AFTER_SECONDS})
          and a.pool_id = p.id and a.last_project_id = w.project_id and a.donated = any ('{t,f}')
          and a.address_index <= reach.highest_index and a.address_class = any (lessee.classes) and a.state = 'free'
          and a.released_at <= least(now(), c.checked_at, coalesce(c.mempool_read_at, '-infinity'))
            - make_interval(secs => ${quarantineSeconds})
        limit wanted.half) enough
    ) rested
    cross join lateral (
      select count(*)::int as count from (
        select from pool_addresses a
        where a.pool_id = p.id and a.address_class = any (lessee.classes) and a.address_index <= reach.highest_index
          and a.state = 'derived'
        limit wanted.half) enough
    ) soon
    where w.project_id = ${projectId} and w.status = 'verified'
    order by w.currency`;
  return rows.map(({ left, half, ...capacity }) => ({
    ...capacity,
    isScarce: left < half,
    extraProofBits: extraProofBits({ left, half }),
  }));
}

/** The number of addresses available to donations, and half of their capacity. */
type Left = { left: number; half: number };

/** One bit more each time that the remaining capacity halves. Pure. */
function extraProofBits({ left, half }: Left): number {
  const isEnough = (bits: number): boolean => left * 2 ** (bits + 1) > half;
  return [0, 1, 2, 3].find(isEnough) ?? MAX_EXTRA_BITS;
}
