import type { Currency } from '@paywatch/domain/values';
import { SHOW_WITHIN_SECONDS } from '../donations/shown-donations.ts';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { STALE_AFTER_SECONDS } from './invoice-snapshots.ts';

/** Whether the invoice may be decided now: it is not parked, or its pause is over. */
export function isNotPaused(sql: AnySql, invoiceId: ReturnType<AnySql>) {
  return sql`not exists (
    select from parked_invoices paused where paused.invoice_id = ${invoiceId} and paused.next_attempt_at > now())`;
}

/** Whether an imported order waits for a rescan of blocks that may contain its payment. Until then it does not end. */
export function awaitsRescan(sql: AnySql, invoiceId: ReturnType<AnySql>) {
  return sql`exists (
    select from address_leases l join chain_rescans r on r.id = l.rescan_id
    where l.invoice_id = ${invoiceId} and r.ended_at is null offset 0)`;
}

/**
 * Claims up to `limit` open invoices whose deadline has passed and marks them as checked: only payments can change them
 * afterwards. Claims none while the chain view is stale or has not been read past the deadline. Other workers skip them until
 * this transaction ends.
 */
export async function claimPastDeadline(
  tx: TransactionSql,
  currency: Currency,
  limit: number,
): Promise<bigint[]> {
  const rows = await tx<{ id: bigint }[]>`
    -- An array instead of a join, which may be planned over all invoices.
    update invoices set deadline_swept = true where id = any (array(
      select id from invoices
      where currency = ${currency} and status in ('new', 'pending') and not deadline_swept
        and ${isNotPaused(tx, tx`invoices.id`)} and not ${awaitsRescan(tx, tx`invoices.id`)}
        -- A value instead of a join, so that the index is read only up to it. Decisions use milliseconds: a deadline within the
        -- current millisecond has not passed.
        and deadline_at < (
          select date_trunc('milliseconds', least(now(), mempool_read_at)) from chains
          where currency = ${currency} and stale_since is null
            and checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS}))
      order by deadline_at limit ${limit} for update skip locked))
    returning id`;
  return rows.map((row) => row.id);
}

/**
 * Claims up to `limit` donations that nobody looked at in time and nobody paid. Claims none while the chain view is stale or
 * has not been read since. Skips a donation that is being shown at this moment: it counts as shown once that is committed.
 */
export async function claimUnshownDonations(
  tx: TransactionSql,
  currency: Currency,
  limit: number,
): Promise<bigint[]> {
  const rows = await tx<{ id: bigint }[]>`
    select id from invoices
    where currency = ${currency} and status = 'new' and shown_at is null and ${isNotPaused(tx, tx`invoices.id`)}
      and not exists (select from payments p where p.invoice_id = invoices.id)
      and created_at < (
        select date_trunc('milliseconds', least(now(), mempool_read_at)) - make_interval(secs => ${SHOW_WITHIN_SECONDS})
        from chains
        where currency = ${currency} and stale_since is null
          and checked_at > now() - make_interval(secs => ${STALE_AFTER_SECONDS}))
    order by created_at limit ${limit} for update skip locked`;
  return rows.map((row) => row.id);
}

/** Checks these invoices again once their deadlines can be decided: a check while the view is stale decides nothing. */
export async function recheckDeadlines(tx: TransactionSql, invoiceIds: readonly bigint[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx`
    update invoices set deadline_swept = false
    where id = any (${invoiceIds.map(String)}::bigint[]) and deadline_swept`;
}
