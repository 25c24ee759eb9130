import type { InvoiceStatus } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import { isNotPaused } from './deadlines.ts';

/**
 * The end of every statement that queues decisions. Locks rows that are already queued until the commit: otherwise a worker
 * could claim one now and decide by the old facts, and nobody would decide by the new ones.
 */
export function onConflictLockQueued(sql: AnySql) {
  return sql`on conflict (currency, invoice_id) do update set invoice_id = excluded.invoice_id`;
}

/**
 * Queues the invoices for a decision after this transaction commits. Call it before any of them is locked: workers also take
 * the queue row first.
 */
export async function queueDecisions(
  tx: TransactionSql,
  currency: Currency,
  invoiceIds: readonly bigint[],
): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx`
    insert into due_decisions (currency, invoice_id)
    select ${currency}, id from unnest(${invoiceIds.map(String)}::bigint[]) id order by id
    ${onConflictLockQueued(tx)}`;
}

/** A queued invoice, as its caller needs it. */
export type QueuedInvoice = {
  invoiceId: bigint;
  projectId: bigint;
  currency: Currency;
  status: InvoiceStatus;
  version: number;
  createdAt: Date;
};

/**
 * Queues an invoice for another decision from what is recorded; a parked one is decided at once. Null if it is unknown. Safe to
 * repeat.
 */
export async function queueDecisionAgain(sql: AnySql, publicId: string): Promise<QueuedInvoice | null> {
  const [invoice] = await sql<QueuedInvoice[]>`
    with wanted as (
      select id as "invoiceId", project_id as "projectId", currency, status, version, created_at as "createdAt"
      from invoices where public_id = ${publicId}
    ), resumed as (
      update parked_invoices set next_attempt_at = now() where invoice_id in (select "invoiceId" from wanted)
    ), queued as (
      insert into due_decisions (currency, invoice_id) select currency, "invoiceId" from wanted
      ${onConflictLockQueued(sql)} returning 1
    )
    select * from wanted where (select count(*) from queued) > 0`;
  return invoice ?? null;
}

/** The state of an invoice's decision. */
export type DecisionState = {
  status: InvoiceStatus;
  version: number;
  /** Whether a decision is still queued. */
  isQueued: boolean;
  /** Why the last decision failed while the invoice is parked; otherwise null. */
  fault: string | null;
};

/** Status and version of an invoice, whether a decision is queued, and why the last one failed. Throws for an unknown invoice. */
export async function findDecision(sql: AnySql, invoiceId: bigint): Promise<DecisionState> {
  const [row] = await sql<DecisionState[]>`
    select i.status, i.version,
      exists (select from due_decisions d where d.currency = i.currency and d.invoice_id = i.id) as "isQueued",
      (select p.error_class || ': ' || p.error_message from parked_invoices p
       where p.invoice_id = i.id and p.next_attempt_at > now()) as fault
    from invoices i where i.id = ${invoiceId}`;
  if (!row) throw new Error(`invoice ${invoiceId} not found`);
  return row;
}

/** Claims up to `limit` queued invoices that are not parked; other workers skip them until this transaction ends. */
export async function claimDueDecisions(
  tx: TransactionSql,
  currency: Currency,
  limit: number,
): Promise<bigint[]> {
  const rows = await tx<{ invoice_id: bigint }[]>`
    delete from due_decisions where currency = ${currency} and invoice_id = any (array(
      select invoice_id from due_decisions where currency = ${currency} and ${isNotPaused(tx, tx`due_decisions.invoice_id`)}
      order by invoice_id limit ${limit} for update skip locked))
    returning invoice_id`;
  return rows.map((row) => row.invoice_id);
}
