import { lockInvoices } from '../../invoices/settlement.ts';
import type { CleanUp } from '../../postgres/clean-up.ts';
import { inTransaction, type TransactionSql } from '../../postgres/database.ts';
import type { Store } from '../../store.ts';

/** How long the books of a deleted project are kept: as long as the audit log. */
const BOOKS_KEPT_DAYS = 400;

/**
 * Removes what was kept for bookkeeping of projects that were deleted 400 days ago and have no open invoice: events, donations, sums of
 * donors, the name, and what merchants wrote into invoices. What stays of an invoice is what attributes payments to it.
 */
export const emptyDeletedProjects: CleanUp = async (store, limit) => {
  let removed = 0;
  while (removed < limit) {
    const projectId = await findDueProject(store);
    if (projectId === null) break;
    removed += await inTransaction(store, (tx) => emptyProject(tx, projectId, limit - removed));
  }
  return removed;
};

async function findDueProject({ sql }: Pick<Store, 'sql'>): Promise<bigint | null> {
  const [due] = await sql<{ id: bigint }[]>`
    select id from projects p
    where deleted_at < now() - make_interval(days => ${BOOKS_KEPT_DAYS}) and emptied_at is null
      and not exists (select from invoices i where i.project_id = p.id and i.status in ('new', 'pending'))
    order by deleted_at limit 1`;
  return due?.id ?? null;
}

/** Returns how many rows went, at least one. A full batch may not be the last one. */
async function emptyProject(tx: TransactionSql, projectId: bigint, limit: number): Promise<number> {
  let removed = await deleteEvents(tx, projectId, limit);
  if (removed < limit) removed += await anonymizeInvoices(tx, projectId, limit - removed);
  if (removed < limit) removed += await deleteRest(tx, projectId);
  return removed;
}

async function deleteEvents(tx: TransactionSql, projectId: bigint, limit: number): Promise<number> {
  const events = await tx<{ id: bigint }[]>`
    select id from events where project_id = ${projectId} order by id limit ${limit} for update`;
  const ids = tx.array(events.map(({ id }) => String(id)));
  await tx`
    with gone as (
      delete from deliveries where event_id = any (${ids}::bigint[]) or further_event_id = any (${ids}::bigint[])
      returning id
    )
    delete from delivery_attempts where delivery_id in (select id from gone)`;
  await tx`delete from events where id = any (${ids}::bigint[])`;
  return events.length;
}

async function anonymizeInvoices(tx: TransactionSql, projectId: bigint, limit: number): Promise<number> {
  const rows = await tx<{ id: bigint }[]>`
    select id from invoices
    where project_id = ${projectId} and num_nonnulls(order_id, return_url, details, request_id, donor_name, donor_message) > 0
    order by id limit ${limit}`;
  const invoiceIds = rows.map(({ id }) => id);
  if (invoiceIds.length === 0) return 0;
  await lockInvoices(tx, invoiceIds);
  await tx`
    update invoices set order_id = null, return_url = null, details = null, request_id = null, donor_name = null, donor_message = null,
      version = version + 1
    where id = any (${invoiceIds.map(String)}::bigint[])`;
  return invoiceIds.length;
}

async function deleteRest(tx: TransactionSql, projectId: bigint): Promise<number> {
  await tx`
    delete from payment_link_sales
    where invoice_id in (select id from invoices where project_id = ${projectId})`;
  for (const table of [
    'overlay_donations',
    'held_donations',
    'donation_days',
    'donor_totals',
    'overlay_controls',
  ])
    await tx`delete from ${tx(table)} where project_id = ${projectId}`;
  await tx`
    update projects set name = '', embed_sites = '{}', emptied_at = now() where id = ${projectId}`;
  return 1;
}
