import type { Currency, InvoiceStatus, InvoiceType } from '@paywatch/domain';
import type { AnySql } from './database.ts';
import {
  GRACE_SECONDS,
  loadSnapshotsById,
  selectSnapshots,
  type SnapshotSettings,
  type StoredSnapshot,
} from './invoice-snapshots.ts';
import { publishInvoicesChanged } from './redis/publish.ts';
import type { Store } from './store.ts';

/** Which invoices of a project are listed; what is null does not matter. Times in epoch milliseconds. */
export type InvoiceFilter = {
  status: InvoiceStatus | null;
  type: InvoiceType | null;
  currency: Currency | null;
  orderId: string | null;
  isReversed: boolean | null;
  /** Created then or later. */
  createdFromMs: number | null;
  /** Created before. */
  createdToMs: number | null;
};

/** `after`: the public id of the last invoice of the page before; null for the first page. */
export type InvoicePage = { limit: number; after: string | null };

/**
 * Invoices of a project, newest first, with their payments, in one statement. A page costs the same however deep it
 * lies. Empty after an `after` that is not of this project: `hasInvoice` tells that from the end of the list.
 */
export async function listInvoices(
  { sql }: { sql: AnySql },
  projectId: bigint,
  filter: InvoiceFilter,
  page: InvoicePage,
  settings: SnapshotSettings,
): Promise<StoredSnapshot[]> {
  const conditions = [
    sql`i.project_id = ${projectId}`,
    page.after === null ? [] : sql`and i.id < (${idOf(sql, projectId, page.after)})`,
    filter.status === null ? [] : sql`and i.status = ${filter.status}`,
    filter.type === null ? [] : sql`and i.type = ${filter.type}`,
    filter.currency === null ? [] : sql`and i.currency = ${filter.currency}`,
    filter.orderId === null ? [] : sql`and i.order_id = ${filter.orderId}`,
    filter.isReversed === null ? [] : filter.isReversed ? sql`and i.reversed` : sql`and not i.reversed`,
    filter.createdFromMs === null ? [] : createdFrom(sql, projectId, new Date(filter.createdFromMs)),
    filter.createdToMs === null ? [] : createdTo(sql, projectId, new Date(filter.createdToMs)),
  ].flat();
  return selectSnapshots(sql, sql`where ${conditions} order by i.id desc limit ${page.limit}`, settings);
}

/** Whether the project has this invoice. */
export async function hasInvoice(
  { sql }: { sql: AnySql },
  projectId: bigint,
  publicId: string,
): Promise<boolean> {
  const rows = await idOf(sql, projectId, publicId);
  return rows.length > 0;
}

function idOf(sql: AnySql, projectId: bigint, publicId: string) {
  return sql`select id from invoices where public_id = ${publicId} and project_id = ${projectId}`;
}

/**
 * The list is ordered by id, and a range of times must not be found by reading past all that is newer. An invoice gets
 * its id within seconds of its created_at (the statement timeout), so one created a minute earlier has a smaller id.
 */
function createdFrom(sql: AnySql, projectId: bigint, from: Date) {
  return sql`and i.created_at >= ${from} and i.id > coalesce((
    select id from invoices where project_id = ${projectId} and created_at < ${from}::timestamptz - interval '1 minute'
    order by created_at desc limit 1), 0)`;
}

function createdTo(sql: AnySql, projectId: bigint, to: Date) {
  return sql`and i.created_at < ${to} and i.id < coalesce((
    select id from invoices where project_id = ${projectId} and created_at > ${to}::timestamptz + interval '1 minute'
    order by created_at limit 1), 9223372036854775807)`;
}

/** How an extension ended. */
export type Extension =
  | { kind: 'extended'; invoice: StoredSnapshot }
  | { kind: 'invoice_not_found' | 'already_extended' | 'invoice_not_extendable' };

const EXTENSION_SECONDS = 900;

/**
 * Gives the payer 15 minutes more, counted from now where the invoice has run out already. Once for each invoice, while it
 * is new or pending; under any concurrency one call succeeds. Its streams hear of it. A watcher decides it anew: what came
 * too late may be in time now, and no block need follow that would have it decided.
 */
export async function extendInvoice(
  store: Store,
  projectId: bigint,
  publicId: string,
  settings: SnapshotSettings,
): Promise<Extension> {
  const { sql } = store;
  const [extended] = await sql<{ id: bigint }[]>`
    with extended as (
      update invoices set
        -- The grace keeps what a stale view has added to it.
        deadline_at = greatest(deadline_at,
          greatest(expires_at, now()) + make_interval(secs => ${EXTENSION_SECONDS + (settings.graceSeconds ?? GRACE_SECONDS)})),
        expires_at = greatest(expires_at, now()) + make_interval(secs => ${EXTENSION_SECONDS}),
        extended = true,
        deadline_swept = false,
        version = version + 1
      where project_id = ${projectId} and public_id = ${publicId} and not extended and status in ('new', 'pending')
      returning id, currency
    ), queued as (
      insert into due_decisions (currency, invoice_id)
      select currency, id from extended on conflict do nothing
    )
    select id from extended`;
  if (!extended) return { kind: await whyNotExtended(sql, projectId, publicId) };
  await publishInvoicesChanged(store, [publicId]);
  const [invoice] = await loadSnapshotsById(sql, [extended.id], settings);
  if (!invoice) throw new Error('an invoice is never deleted');
  return { kind: 'extended', invoice };
}

async function whyNotExtended(
  sql: AnySql,
  projectId: bigint,
  publicId: string,
): Promise<Exclude<Extension['kind'], 'extended'>> {
  const [invoice] = await sql<{ extended: boolean }[]>`
    select extended from invoices where project_id = ${projectId} and public_id = ${publicId}`;
  if (!invoice) return 'invoice_not_found';
  return invoice.extended ? 'already_extended' : 'invoice_not_extendable';
}

/** The current versions of invoices by public id; unknown ones are left out. One statement, by index only. */
export async function loadInvoiceVersions(
  { sql }: { sql: AnySql },
  publicIds: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await sql<{ public_id: string; version: number }[]>`
    select public_id, version from invoices where public_id = any (${[...publicIds]}::text[])`;
  return new Map(rows.map((row) => [row.public_id, BigInt(row.version)]));
}

/** What a donor may know of the project behind a donation link. */
export type DonationLink = {
  projectId: bigint;
  /** Null until the project has a name. */
  projectName: string | null;
  /** The subscription is active. */
  isAccepting: boolean;
  /** Those with a verified wallet. */
  currencies: Currency[];
};

/** The project that a donate token stands for; null when there is none (any more). */
export async function findDonationLink(
  { sql }: { sql: AnySql },
  donateToken: string,
): Promise<DonationLink | null> {
  const [link] = await sql<DonationLink[]>`
    select p.id as "projectId", nullif(p.name, '') as "projectName",
      coalesce(p.subscription_active_until > now(), false) as "isAccepting",
      array(select w.currency from wallets w where w.project_id = p.id and w.status = 'verified' order by 1) as currencies
    from projects p where p.donate_token = ${donateToken}`;
  return link ?? null;
}
