import { classesFor } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from '../invoices/invoice-snapshots.ts';
import { SHOW_WITHIN_SECONDS } from './shown-donations.ts';

/** The capacity that a project has left for donations in one currency. */
export type DonationCapacity = {
  currency: Currency;
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
 * The capacity that each verified wallet of a project has left for donations, by the rules of create-invoice.sql. Counts only
 * up to half, where the answer is decided.
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

/** One bit more each time that the remaining capacity halves, as in create-invoice.sql. Pure. */
function extraProofBits({ left, half }: Left): number {
  const isEnough = (bits: number): boolean => left * 2 ** (bits + 1) > half;
  return [0, 1, 2, 3].find(isEnough) ?? MAX_EXTRA_BITS;
}

/** The addresses of a pool that one network, or all networks of a site, hold; `holder` is the common prefix of their hashes. */
type Share = {
  projectId: bigint;
  poolId: bigint;
  holder: Uint8Array;
  quarantineSeconds: number;
};

/** Seconds until the holder has one address less if nobody pays: its donation expires and the quarantine of its address ends. */
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
