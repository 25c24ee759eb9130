import type { Currency } from '@paywatch/domain/values';
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { projects } from './accounts.ts';
import { amount, createdAt, identity, instant, reference } from '../columns.ts';
import { invoices } from '../invoices.ts';

/**
 * Purchases from the operator's own project. `order_id` names its order there, and only this row says for whom and for what it
 * is paid. Granted at most once, in the transaction that confirms its invoice.
 */
export const subscriptionPurchases = pgTable(
  'subscription_purchases',
  {
    id: identity(),
    /** The buyer. */
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id),
    currency: text('currency').$type<Currency>().notNull(),
    /** The price quoted at the start, in minimal units. */
    amount: amount('amount').notNull(),
    days: integer('days').notNull(),
    orderId: text('order_id').notNull().unique(),
    /** Null until the seller's invoice exists. */
    invoiceId: reference('invoice_id')
      .unique()
      .references(() => invoices.id),
    createdAt: createdAt(),
    /** After this time, the next click starts a new purchase. */
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
