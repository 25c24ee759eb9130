import { removeDonorTexts } from '@paywatch/domain/webhooks';
import { lockInvoices } from '../invoices/settlement.ts';
import type { CleanUp } from '../postgres/clean-up.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { lockOverlay } from './overlay/overlay-lock.ts';
import { notifyControl } from './overlay/overlay-notifications.ts';

/** A project is looked at again after this time: texts are removed up to an hour late. */
const PAUSE_SECONDS = 3600;

/**
 * The names and messages of donors that are older than their projects keep them, wherever they are. Amounts, times and txids stay, and the
 * donations count on without a name. Returns the number of their invoices.
 */
export const removeOldDonorTexts: CleanUp = async (store, limit) => {
  let removed = 0;
  while (removed < limit) {
    const projectId = await findDueProject(store);
    if (projectId === null) break;
    removed += await inTransaction(store, (tx) => removeOfProject(tx, projectId, limit - removed));
  }
  return removed;
};

async function findDueProject({ sql }: Pick<Store, 'sql'>): Promise<bigint | null> {
  const [due] = await sql<{ id: bigint }[]>`
    select id from projects
    where donor_texts_days is not null and coalesce(donor_texts_removed_to, '-infinity')
      < now() - make_interval(days => donor_texts_days, secs => ${PAUSE_SECONDS})
    order by donor_texts_removed_to nulls first limit 1`;
  return due?.id ?? null;
}

async function removeOfProject(tx: TransactionSql, projectId: bigint, limit: number): Promise<number> {
  const old = await tx<{ id: bigint }[]>`
    select i.id from projects p join invoices i on i.project_id = p.id
    where p.id = ${projectId} and i.created_at >= coalesce(p.donor_texts_removed_to, '-infinity')
      and i.created_at < now() - make_interval(days => p.donor_texts_days)
      and (i.donor_name is not null or i.donor_message is not null)
    order by i.created_at limit ${limit}`;
  await removeDonorTextsOf(
    tx,
    projectId,
    old.map(({ id }) => id),
  );
  // A full batch may not be the last one.
  if (old.length < limit)
    await tx`
      update projects set donor_texts_removed_to = now() - make_interval(days => donor_texts_days)
      where id = ${projectId} and donor_texts_days is not null`;
  return old.length;
}

/** Removes the donors' names and messages of these invoices of a project. Safe to repeat. Locks invoices, then the overlay. */
async function removeDonorTextsOf(
  tx: TransactionSql,
  projectId: bigint,
  invoiceIds: readonly bigint[],
): Promise<void> {
  if (invoiceIds.length === 0) return;
  await lockInvoices(tx, invoiceIds);
  await lockOverlay(tx, projectId);
  const ids = invoiceIds.map(String);
  await tx`
    update invoices set donor_name = null, donor_message = null, version = version + 1
    where id = any (${ids}::bigint[]) and (donor_name is not null or donor_message is not null)`;
  await removeFromTotals(tx, projectId, ids);
  await tx`
    update overlay_donations set donor_name = null, donor_message = null where invoice_id = any (${ids}::bigint[])`;
  await removeFromHeld(tx, projectId, ids);
  await removeFromEvents(tx, ids);
}

/** Takes the donations off the lists of top donors; the sums of days stay. */
async function removeFromTotals(
  tx: TransactionSql,
  projectId: bigint,
  ids: readonly string[],
): Promise<void> {
  await tx`
    with counted as (
      select sha256(convert_to(lower(btrim(donor_name)), 'UTF8')) as donor, currency, amount,
        (coalesce(approved_at, confirmed_at) at time zone 'UTC')::date as day
      from overlay_donations
      where invoice_id = any (${[...ids]}::bigint[]) and btrim(donor_name) <> ''
        and id <= coalesce((select counted_to from counted_donations where project_id = ${projectId}), 0)
    ), sums as (
      select c.donor, p.period, p.since, coalesce(sum(amount) filter (where currency = 'BTC'), 0) as btc,
        coalesce(sum(amount) filter (where currency = 'LTC'), 0) as ltc
      from counted c
      cross join lateral (values ('day', day), ('week', date_trunc('week', day::timestamp)::date),
        ('month', date_trunc('month', day::timestamp)::date), ('all', '-infinity'::date)) as p (period, since)
      group by 1, 2, 3
    ), emptied as (
      delete from donor_totals t using sums s
      where t.project_id = ${projectId} and t.donor = s.donor and t.period = s.period and t.since = s.since
        and t.btc_amount <= s.btc and t.ltc_amount <= s.ltc
    )
    update donor_totals t set btc_amount = greatest(t.btc_amount - s.btc, 0), ltc_amount = greatest(t.ltc_amount - s.ltc, 0)
    from sums s
    where t.project_id = ${projectId} and t.donor = s.donor and t.period = s.period and t.since = s.since
      and not (t.btc_amount <= s.btc and t.ltc_amount <= s.ltc)`;
}

async function removeFromHeld(tx: TransactionSql, projectId: bigint, ids: readonly string[]): Promise<void> {
  const held = await tx`
    update held_donations set donor_name = null, donor_message = null where invoice_id = any (${[...ids]}::bigint[])`;
  if (held.count === 0) return;
  await tx`update overlay_controls set version = version + 1 where project_id = ${projectId}`;
  await notifyControl(tx, projectId);
}

/** An endpoint may have echoed the payload, so the excerpts of its responses are removed, too. */
async function removeFromEvents(tx: TransactionSql, ids: readonly string[]): Promise<void> {
  const events = await tx<{ id: bigint; body: string }[]>`
    select id, body from events
    where invoice_id = any (${[...ids]}::bigint[]) and body like '%"donor_name"%' order by id for update`;
  const eventIds = tx.array(events.map(({ id }) => String(id)));
  await tx`
    update events e set body = n.body
    from unnest(${eventIds}::bigint[], ${tx.array(events.map(({ body }) => removeDonorTexts(body)))}::text[]) as n (id, body)
    where e.id = n.id`;
  await tx`
    update delivery_attempts set response_excerpt = null
    where response_excerpt is not null and delivery_id in (
      select id from deliveries where event_id = any (${eventIds}::bigint[]) or further_event_id = any (${eventIds}::bigint[]))`;
}
