import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { projects } from './accounts.ts';
import { amount, createdAt, identity, instant, reference } from './columns.ts';
import { invoices } from './invoices.ts';

/**
 * What projects pay the operator's own project for. `order_id` names its order there, and only this row says for whom and for
 * what it is paid. Granted at most once, by the transaction that confirms its invoice.
 */
export const subscriptionPurchases = pgTable(
  'subscription_purchases',
  {
    id: identity(),
    /** Who buys. */
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id),
    currency: text('currency').$type<'BTC' | 'LTC'>().notNull(),
    /** As quoted when it began, in minimal units. */
    amount: amount('amount').notNull(),
    days: integer('days').notNull(),
    orderId: text('order_id').notNull().unique(),
    /** Null until the seller's invoice is there. */
    invoiceId: reference('invoice_id')
      .unique()
      .references(() => invoices.id),
    createdAt: createdAt(),
    /** Since when the next purchase is another one. */
    closedAt: instant('closed_at'),
    /** When it extended the subscription. */
    grantedAt: instant('granted_at'),
  },
  (t) => [
    uniqueIndex('subscription_purchases_one_open')
      .on(t.projectId, t.currency)
      .where(sql`${t.closedAt} is null`),
    index('subscription_purchases_project_idx').on(t.projectId, t.id),
    check('subscription_purchases_amount', sql`${t.amount} > 0`),
    check('subscription_purchases_days', sql`${t.days} > 0`),
  ],
);
