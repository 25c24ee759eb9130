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
  /** Those with a verified wallet. */
  currencies: Currency[];
};

/** The project of the account that sells; null where no account has this email. */
export async function findSeller({ sql }: { sql: AnySql }, email: string): Promise<Seller | null> {
  const [seller] = await sql<Seller[]>`
    select p.id as "projectId", coalesce(p.subscription_active_until > now(), false) as "isSubscriptionActive",
      array(select w.currency from wallets w where w.project_id = p.id and w.status = 'verified' order by 1) as currencies
    from accounts a join projects p on p.account_id = a.id where a.email = ${email}`;
  return seller ?? null;
}

/** What a project wants to pay for, and under which name of the seller's order if it is the first to want it. */
export type PurchaseWish = {
  projectId: bigint;
  currency: Currency;
  amount: bigint;
  days: number;
  orderId: string;
};

/** A purchase that is not over: its order at the seller's, quoted when it began. */
export type OpenPurchase = {
  purchaseId: bigint;
  orderId: string;
  amount: bigint;
  days: number;
  invoiceId: bigint | null;
};

/** More clicks at once than this do not come in between by chance. */
const MAX_TRIES = 5;

/**
 * The purchase that a project has open in this currency, or a new one: one at any time, so that nobody takes more than one
 * of the seller's addresses. One whose invoice can no longer be paid is over. Safe to repeat, also at the same moment.
 */
export async function openPurchase(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  wish: PurchaseWish,
): Promise<OpenPurchase> {
  return inTransaction(store, async (tx) => {
    await authorize(tx);
    return findOrOpen(tx, wish);
  });
}

async function findOrOpen(sql: TransactionSql, wish: PurchaseWish): Promise<OpenPurchase> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    await closeEndedPurchase(sql, wish);
    await sql`
      insert into subscription_purchases (project_id, currency, amount, days, order_id)
      values (${wish.projectId}, ${wish.currency}, ${wish.amount}, ${wish.days}, ${wish.orderId})
      on conflict (project_id, currency) where closed_at is null do nothing`;
    const [purchase] = await sql<OpenPurchase[]>`
      select id as "purchaseId", order_id as "orderId", amount, days, invoice_id as "invoiceId"
      from subscription_purchases
      where project_id = ${wish.projectId} and currency = ${wish.currency} and closed_at is null`;
    if (purchase) return purchase;
  }
  throw new Error('a purchase was closed as often as it was opened');
}

/** One that never got its invoice ends with its price, too. */
async function closeEndedPurchase(sql: AnySql, wish: PurchaseWish): Promise<void> {
  await sql`
    update subscription_purchases p set closed_at = now()
    where p.project_id = ${wish.projectId} and p.currency = ${wish.currency} and p.closed_at is null and (
      (p.invoice_id is null and (p.amount <> ${wish.amount} or p.days <> ${wish.days}))
      or exists (
        select from invoices i where i.id = p.invoice_id
          and (i.status not in ('new', 'pending') or (i.status = 'new' and i.expires_at <= now()))))`;
}

/**
 * Ties a purchase to the invoice of its order: from then on the invoice's confirmation extends the subscription. Nobody may
 * learn where to pay before. Safe to repeat. Throws for a purchase that has another invoice.
 */
export async function linkPurchase(sql: AnySql, purchaseId: bigint, invoiceId: bigint): Promise<void> {
  const linked = await sql`
    update subscription_purchases set invoice_id = ${invoiceId}
    where id = ${purchaseId} and (invoice_id is null or invoice_id = ${invoiceId})`;
  if (linked.count === 0) throw new Error('a purchase keeps its invoice');
}

/** A subscription that a purchase extended. */
export type ExtendedSubscription = { projectId: bigint; invoiceId: bigint; until: Date };

/**
 * Extends the subscriptions that these invoices pay for, and writes that down; those of other invoices are passed over. Part
 * of the transaction that decides the invoices. A purchase extends once, whatever is repeated: `granted_at` is set once.
 */
export async function grantPurchases(
  tx: TransactionSql,
  invoiceIds: readonly bigint[],
  actor: Actor,
): Promise<ExtendedSubscription[]> {
  if (invoiceIds.length === 0) return [];
  return tx<ExtendedSubscription[]>`
    with paid as (
      update subscription_purchases set granted_at = now()
      where invoice_id = any (${invoiceIds.map(String)}::bigint[]) and granted_at is null
      returning id, project_id, invoice_id, days
    ), buyers as materialized (
      -- Locked in one order, so that two transactions with the same buyers cannot wait for each other.
      select id, account_id, subscription_active_until as before from projects
      where id in (select project_id from paid) order by id for no key update
    ), terms as (
      -- Together: a statement changes a row once.
      select project_id, sum(days)::int as days from paid group by project_id
    ), extended as (
      update projects p set subscription_active_until = date_trunc('milliseconds',
        greatest(p.subscription_active_until, now()) + make_interval(days => t.days))
      from terms t join buyers b on b.id = t.project_id
      where p.id = b.id
      returning p.id, p.account_id, b.before, p.subscription_active_until as until
    ), told as (
      insert into audit_log (account_id, project_id, action, detail)
      select account_id, id, 'subscription.changed',
        jsonb_build_object('actor', ${actor}::text, 'from', ${iso(tx, 'before')}, 'until', ${iso(tx, 'until')})
      from extended
    )
    select paid.project_id as "projectId", paid.invoice_id as "invoiceId", e.until
    from paid join extended e on e.id = paid.project_id`;
}

/** A moment as every other line of the audit log has it. */
function iso(tx: TransactionSql, column: 'before' | 'until') {
  return tx`to_char(${tx(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** What came of an operator's wish to extend a subscription though its invoice was paid late or short. */
export type PurchaseHonour =
  { kind: 'extended'; until: Date } | { kind: 'no_purchase' } | { kind: 'already_extended'; at: Date };

/** Extends the subscription of a purchase that its invoice's confirmation did not extend. Twice extends once. */
export async function honourPurchase(
  store: Pick<Store, 'sql'>,
  publicId: string,
  actor: Actor,
): Promise<PurchaseHonour> {
  return inTransaction(store, async (tx) => {
    const [purchase] = await tx<{ invoiceId: bigint; grantedAt: Date | null }[]>`
      select p.invoice_id as "invoiceId", p.granted_at as "grantedAt"
      from invoices i join subscription_purchases p on p.invoice_id = i.id where i.public_id = ${publicId}
      for update of p`;
    if (!purchase) return { kind: 'no_purchase' };
    if (purchase.grantedAt !== null) return { kind: 'already_extended', at: purchase.grantedAt };
    const [extended] = await grantPurchases(tx, [purchase.invoiceId], actor);
    if (!extended) throw new Error('the purchase is locked and was not extended');
    return { kind: 'extended', until: extended.until };
  });
}

/** A purchase as it is listed. `grantedAt`: when it extended the subscription. */
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
