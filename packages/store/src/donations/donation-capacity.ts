import { classesFor } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import { SHOW_WITHIN_SECONDS } from './shown-donations.ts';

/** What a project has left for donations of one currency. */
export type DonationCapacity = {
  currency: Currency;
  /** A donation could be given an address now. */
  hasAddress: boolean;
  /** Less than half of what donations may hold is left: creation asks for a proof of work. */
  isScarce: boolean;
  /** By how many bits that proof is harder than the least difficulty. */
  extraProofBits: number;
};

/** A proof of work is at most sixteen times the least one. */
const MOST_EXTRA_BITS = 4;

/**
 * What each verified wallet of a project has left for donations, by the rules of statements/create-invoice.sql. Counts no
 * further than to the half that matters.
 */
export async function readDonationCapacity(
  sql: AnySql,
  projectId: bigint,
  quarantineSeconds: number,
): Promise<DonationCapacity[]> {
  const owner = [...classesFor({ invoiceType: 'donation', isOwner: true })];
  const guest = [...classesFor({ invoiceType: 'donation', isOwner: false })];
  const rows = await sql<(Pick<DonationCapacity, 'currency' | 'hasAddress'> & Left)[]>`
    select w.currency, fresh.count + rested.count + soon.count as left, wanted.half,
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
    -- One at least, where nothing is derived yet.
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

/** How many addresses donations could be given, and half of what they may hold. */
type Left = { left: number; half: number };

/** One more each time that what is left halves, as statements/create-invoice.sql has it. Pure. */
function extraProofBits({ left, half }: Left): number {
  const isEnough = (bits: number): boolean => left * 2 ** (bits + 1) > half;
  return [0, 1, 2, 3].find(isEnough) ?? MOST_EXTRA_BITS;
}

/** What a network, or all networks of a site, hold of a project's addresses in a pool; `holder` is how their hashes begin. */
type Share = {
  projectId: bigint;
  poolId: bigint;
  holder: Uint8Array;
  quarantineSeconds: number;
};

/** Seconds until the holder has one address less, if nobody pays: its donation ends, and its address has rested. */
export async function secondsUntilShareFrees(
  sql: AnySql,
  { projectId, poolId, holder, quarantineSeconds }: Share,
): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select ceil(extract(epoch from min(case
      when a.state = 'free' then a.released_at + rest.time
      when i.shown_at is null then i.created_at + make_interval(secs => ${SHOW_WITHIN_SECONDS})
      else i.deadline_at + rest.time end) - now()))::int as seconds
    from make_interval(secs => ${quarantineSeconds}) as rest (time), pool_addresses a
    join pools p on p.id = a.pool_id
    left join address_leases l on l.currency = p.currency and l.script = a.script and l.released_at is null
    left join invoices i on i.id = l.invoice_id
    where a.pool_id = ${poolId} and a.last_project_id = ${projectId}
      and a.donor_network between ${Buffer.from(holder)} and ${Buffer.from(holder)} || '\\xffffffffffffffff'::bytea
      and (a.state = 'leased' or a.state = 'free' and a.released_at > now() - rest.time)`;
  return row?.seconds ?? null;
}
