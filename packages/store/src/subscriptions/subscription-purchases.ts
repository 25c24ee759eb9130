import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';
import type { Actor } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** The operator's own project, which sells subscriptions to the others. */
export type Seller = {
  projectId: bigint;
  isSubscriptionActive: boolean;
  /** Currencies with a verified wallet. */
  currencies: Currency[];
};

/** The first project of the selling account; null if no account has this email. */
export async function findSeller({ sql }: { sql: AnySql }, email: string): Promise<Seller | null> {
  const [seller] = await sql<Seller[]>`
    select p.id as "projectId", coalesce(p.subscription_active_until > now(), false) as "isSubscriptionActive",
      array(select w.currency from wallets w where w.project_id = p.id and w.status = 'verified' order by 1) as currencies
    from accounts a join projects p on p.account_id = a.id where a.email = ${email}
    order by p.id limit 1`;
  return seller ?? null;
}

/** What a project wants to buy, and the order_id at the seller's to use for a new purchase. */
export type PurchaseRequest = {
  projectId: bigint;
  currency: Currency;
  amount: bigint;
  days: number;
  orderId: string;
};

/** A purchase that has not ended: its order at the seller's with the quoted price. */
export type OpenPurchase = {
  purchaseId: bigint;
  orderId: string;
  amount: bigint;
  days: number;
  invoiceId: bigint | null;
};

/** More concurrent clicks than this do not interfere by chance. */
const MAX_TRIES = 5;

/**
 * The open purchase of a project in this currency, or a new one. There is one at a time, so that nobody takes more than one of
 * the seller's addresses. A purchase ends when its invoice can no longer be paid. Safe to repeat and to run concurrently.
 */
export async function openPurchase(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  request: PurchaseRequest,
): Promise<OpenPurchase> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    return findOrOpen(tx, request);
  });
}

async function findOrOpen(sql: TransactionSql, request: PurchaseRequest): Promise<OpenPurchase> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    await closeEndedPurchase(sql, request);
    await sql`
      insert into subscription_purchases (project_id, currency, amount, days, order_id)
      values (${request.projectId}, ${request.currency}, ${request.amount}, ${request.days}, ${request.orderId})
      on conflict (project_id, currency) where closed_at is null do nothing`;
    const [purchase] = await sql<OpenPurchase[]>`
      select id as "purchaseId", order_id as "orderId", amount, days, invoice_id as "invoiceId"
      from subscription_purchases
      where project_id = ${request.projectId} and currency = ${request.currency} and closed_at is null`;
    if (purchase) return purchase;
  }
  throw new Error(`no open purchase of project ${request.projectId}: another request closed each one`);
}

/** A purchase that never got its invoice ends together with its price. */
async function closeEndedPurchase(sql: AnySql, request: PurchaseRequest): Promise<void> {
  await sql`
    update subscription_purchases p set closed_at = now()
    where p.project_id = ${request.projectId} and p.currency = ${request.currency} and p.closed_at is null and (
      (p.invoice_id is null and (p.amount <> ${request.amount} or p.days <> ${request.days}))
      or exists (
        select from invoices i where i.id = p.invoice_id
          and (i.status not in ('new', 'pending') or (i.status = 'new' and i.expires_at <= now()))))`;
}

/**
 * Links a purchase to the invoice of its order: the invoice's confirmation then extends the subscription. Nobody may learn
 * where to pay before that. Safe to repeat. Throws if the purchase has another invoice.
 */
export async function linkPurchase(sql: AnySql, purchaseId: bigint, invoiceId: bigint): Promise<void> {
  const linked = await sql`
    update subscription_purchases set invoice_id = ${invoiceId}
    where id = ${purchaseId} and (invoice_id is null or invoice_id = ${invoiceId})`;
  if (linked.count === 0)
    throw new Error(`purchase ${purchaseId} already has another invoice than ${invoiceId}`);
}

/** A subscription that a purchase extended. */
export type ExtendedSubscription = { projectId: bigint; invoiceId: bigint; until: Date };

/**
 * Extends the subscriptions that these invoices pay for and writes the audit log; other invoices are skipped. Runs in the
 * transaction that decides the invoices. A purchase extends once, whatever is repeated: `granted_at` is set once.
 */
export async function grantPurchases(
  tx: TransactionSql,
  invoiceIds: readonly bigint[],
  actor: Extract<Actor, string>,
): Promise<ExtendedSubscription[]> {
  if (invoiceIds.length === 0) return [];
  return tx<ExtendedSubscription[]>`
    with paid as (
      update subscription_purchases set granted_at = now()
      where invoice_id = any (${invoiceIds.map(String)}::bigint[]) and granted_at is null
      returning id, project_id, invoice_id, days
    ), buyers as materialized (
      -- Locked in one order, so that two transactions with the same buyers cannot deadlock.
      select id, account_id, subscription_active_until as before from projects
      where id in (select project_id from paid) order by id for no key update
    ), terms as (
      -- Summed by project: a statement changes a row once.
      select project_id, sum(days)::int as days from paid group by project_id
    ), extended as (
      update projects p set subscription_active_until = date_trunc('milliseconds',
        greatest(p.subscription_active_until, now()) + make_interval(days => t.days))
      from terms t join buyers b on b.id = t.project_id
      where p.id = b.id
      returning p.id, p.account_id, b.before, p.subscription_active_until as until
    ), logged as (
      insert into audit_log (account_id, project_id, action, detail)
      select account_id, id, 'subscription.changed',
        jsonb_build_object('actor', ${actor}::text, 'from', ${iso(tx, 'before')}, 'until', ${iso(tx, 'until')})
      from extended
    )
    select paid.project_id as "projectId", paid.invoice_id as "invoiceId", e.until
    from paid join extended e on e.id = paid.project_id`;
}

/** A time in the format of all other lines of the audit log. */
function iso(tx: TransactionSql, column: 'before' | 'until') {
  return tx`to_char(${tx(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The result when an operator extends a subscription although its invoice was paid late or short. */
export type AppliedPurchase =
  { kind: 'extended'; until: Date } | { kind: 'no_purchase' } | { kind: 'already_extended'; at: Date };

/** Extends the subscription of a purchase that the confirmation of its invoice did not extend. A repeat changes nothing. */
export async function applyPurchase(
  store: Pick<Store, 'sql'>,
  publicId: string,
  actor: Extract<Actor, string>,
): Promise<AppliedPurchase> {
  return inTransaction(store, async (tx) => {
    const [purchase] = await tx<{ invoiceId: bigint; grantedAt: Date | null }[]>`
      select p.invoice_id as "invoiceId", p.granted_at as "grantedAt"
      from invoices i join subscription_purchases p on p.invoice_id = i.id where i.public_id = ${publicId}
      for update of p`;
    if (!purchase) return { kind: 'no_purchase' };
    if (purchase.grantedAt !== null) return { kind: 'already_extended', at: purchase.grantedAt };
    const [extended] = await grantPurchases(tx, [purchase.invoiceId], actor);
    if (!extended) throw new Error('subscription not extended although its purchase is locked');
    return { kind: 'extended', until: extended.until };
  });
}

/** A listed purchase. `grantedAt`: when it extended the subscription. */
export type PurchaseSummary = {
  id: bigint;
  email: string;
  invoiceId: bigint;
  currency: Currency;
  amount: bigint;
  days: number;
  createdAt: Date;
  grantedAt: Date | null;
};

/** Purchases with an invoice, newest first, of one project or of all. */
export async function listPurchases(
  { sql }: { sql: AnySql },
  {
    projectId,
    limit,
    isUndecided = false,
  }: { projectId: bigint | null; limit: number; isUndecided?: boolean },
): Promise<PurchaseSummary[]> {
  return sql<PurchaseSummary[]>`
    select p.id, a.email, p.invoice_id as "invoiceId", p.currency, p.amount, p.days, p.created_at as "createdAt",
      p.granted_at as "grantedAt"
    from subscription_purchases p
    join projects buyer on buyer.id = p.project_id
    join accounts a on a.id = buyer.account_id
    where p.invoice_id is not null
      and (${projectId}::bigint is null or p.project_id = ${projectId})
      and (not ${isUndecided}::bool or (p.granted_at is null and exists (
        select from invoices i where i.id = p.invoice_id and i.status in ('underpaid', 'late_payment'))))
    order by p.id desc limit ${limit}`;
}
