import type { Currency } from '@paywatch/domain/values';
import postgres, { type Fragment } from 'postgres';
import { randomFraction } from '@paywatch/runtime/security';
import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { queueDecisions } from './due-decisions.ts';

/** A decision failed because of the invoice's own data. `cause` is the error. */
class InvoiceFault extends Error {
  override name = 'InvoiceFault';

  constructor(publicId: string, cause: unknown) {
    super(`invoice ${publicId} cannot be decided`, { cause });
  }
}

/** Runs a pure step of one invoice's decision. Throws InvoiceFault with whatever the step throws. */
export function forInvoice<T>({ publicId }: { publicId: string }, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw new InvoiceFault(publicId, error);
  }
}

/**
 * SQLSTATE classes that describe the data of a row: data exception, integrity constraint violation, check option, an exception
 * raised by a trigger; and the codes of data and index corruption. Everything else concerns the server or the schema.
 */
const DATA_FAULTS = /^(?:22|23|44|P0|XX00[12]$)/;

/**
 * Whether an error may be caused by one invoice alone. Lost connections, deadlocks, timeouts, lost leadership and schema errors
 * are not: with them every invoice would fail.
 */
export function mayBelongToInvoice(error: unknown): boolean {
  if (error instanceof InvoiceFault) return true;
  return error instanceof postgres.PostgresError && DATA_FAULTS.test(error.code);
}

/** An error as an operator may see it. Pure. */
export type DescribedFault = { errorClass: string; message: string };

const LONGEST_MESSAGE = 200;

/** Describes an error without quoted values, details or parameters, which may contain data of donors and merchants. Pure. */
export function describeFault(error: unknown): DescribedFault {
  const cause = error instanceof InvoiceFault ? error.cause : error;
  if (cause instanceof postgres.PostgresError) {
    const { code, constraint_name: constraint, message } = cause;
    const text = constraint ? `violates constraint ${constraint}` : withoutValues(message);
    return { errorClass: `PostgresError ${code}`, message: text };
  }
  if (!(cause instanceof Error)) return { errorClass: typeof cause, message: 'not an error' };
  return { errorClass: cause.name, message: withoutValues(cause.message) };
}

function withoutValues(message: string): string {
  return message.replace(/(["'`]).*?\1/gs, '$1…$1').slice(0, LONGEST_MESSAGE);
}

/** Pause after the first failure. It doubles with each further failure, up to an hour, plus up to a quarter of jitter. */
const FIRST_PAUSE_SECONDS = 10;
const LONGEST_PAUSE_SECONDS = 3600;
const JITTER = 0.25;

/**
 * Parks an invoice after a failed decision: it stays queued and is claimed again after a pause. Each repeat counts the attempt
 * and lengthens the pause.
 */
export async function parkInvoice(
  tx: TransactionSql,
  currency: Currency,
  invoiceId: bigint,
  { errorClass, message }: DescribedFault,
): Promise<void> {
  const jitter = 1 + JITTER * randomFraction();
  const pause = (attempts: unknown) => tx`
    least(${LONGEST_PAUSE_SECONDS}::float8, ${FIRST_PAUSE_SECONDS}::float8 * 2 ^ least((${attempts as number})::int, 20)) * ${jitter}::float8`;
  await queueDecisions(tx, currency, [invoiceId]);
  await tx`
    insert into parked_invoices as p (invoice_id, currency, error_class, error_message, next_attempt_at)
    values (${invoiceId}, ${currency}, ${errorClass}, ${message}, now() + make_interval(secs => ${pause(0)}))
    on conflict (invoice_id) do update set
      error_class = excluded.error_class, error_message = excluded.error_message, attempts = p.attempts + 1,
      failed_at = now(), next_attempt_at = now() + make_interval(secs => ${pause(tx`p.attempts`)})`;
}

/** Removes the record of failed decisions of these invoices. */
export async function unparkInvoices(tx: TransactionSql, invoiceIds: readonly bigint[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx`delete from parked_invoices where invoice_id = any (${invoiceIds.map(String)}::bigint[])`;
}

/** A parked invoice, for the operator. */
export type ParkedInvoice = {
  publicId: string;
  currency: Currency;
  /** Its project, by the public id, and the account that the project belongs to. */
  projectId: string;
  account: { publicId: string; email: string };
  errorClass: string;
  message: string;
  attempts: number;
  parkedAt: Date;
  failedAt: Date;
  nextAttemptAt: Date;
};

/** Lists parked invoices, the oldest invoice first. `after`: the last invoice of the previous page. */
export async function listParkedInvoices(
  sql: AnySql,
  limit: number,
  after: bigint = 0n,
): Promise<ParkedInvoice[]> {
  return selectParked(sql, sql`p.invoice_id > ${after}`, limit);
}

/** Finds an invoice by its public id, parked or not; null if there is none. */
export async function findInvoiceId(sql: AnySql, publicId: string): Promise<bigint | null> {
  const [invoice] = await sql<{ id: bigint }[]>`select id from invoices where public_id = ${publicId}`;
  return invoice?.id ?? null;
}

async function selectParked(sql: AnySql, condition: Fragment, limit: number): Promise<ParkedInvoice[]> {
  return sql<ParkedInvoice[]>`
    select i.public_id as "publicId", p.currency, p.error_class as "errorClass", p.error_message as message, p.attempts,
      p.parked_at as "parkedAt", p.failed_at as "failedAt", p.next_attempt_at as "nextAttemptAt", j.public_id as "projectId",
      json_build_object('publicId', a.public_id, 'email', a.email) as account
    from parked_invoices p join invoices i on i.id = p.invoice_id
    join projects j on j.id = i.project_id join accounts a on a.id = j.account_id
    where ${condition} order by p.invoice_id limit ${limit}`;
}

/**
 * Ends the pause of a parked invoice: it is decided within seconds. For operators; the owner of the invoice can read it in the audit log.
 * Returns null if the invoice is not parked.
 */
export async function retryParkedInvoice(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  publicId: string,
): Promise<ParkedInvoice | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    const [retried] = await tx<{ invoiceId: bigint; projectId: bigint }[]>`
      update parked_invoices p set next_attempt_at = now() from invoices i
      where i.id = p.invoice_id and i.public_id = ${publicId}
      returning p.invoice_id as "invoiceId", i.project_id as "projectId"`;
    if (retried === undefined) return null;
    const { invoiceId, projectId } = retried;
    await writeAudit(tx, { projectId, action: 'invoice.retried', actor, detail: { public_id: publicId } });
    const [parked] = await selectParked(tx, tx`p.invoice_id = ${invoiceId}`, 1);
    return parked ?? null;
  });
}

/** Ends the pause of all parked invoices. Returns how many were parked. */
export async function retryAllParkedInvoices(sql: AnySql): Promise<number> {
  const rows = await sql`update parked_invoices set next_attempt_at = now() returning 1`;
  return rows.length;
}

/** Counts the parked invoices of each currency; zero for a currency with none. */
export async function countParkedInvoices(sql: AnySql): Promise<{ currency: Currency; count: number }[]> {
  return sql<{ currency: Currency; count: number }[]>`
    select c.currency, (select count(*)::int from parked_invoices p where p.currency = c.currency) as count
    from chains c order by c.currency`;
}
