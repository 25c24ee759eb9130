import type { Currency } from '@paywatch/domain/values';
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { projects } from './accounts/accounts.ts';
import { amount, createdAt, identity, instant, reference } from './columns.ts';
import { invoices } from './invoices.ts';

/** A page on which anybody who has its token buys at the merchant's terms. With neither amount nor price, the buyer names an amount. */
export const paymentLinks = pgTable(
  'payment_links',
  {
    id: identity(),
    publicId: text('public_id').notNull().unique(),
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id),
    token: text('token').notNull().unique(),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    /** In minimal units of the only currency; null without a fixed amount of coins. */
    amount: amount('amount'),
    /** In the smallest units of `price_currency`; null where the buyer names the price. */
    priceAmount: amount('price_amount'),
    priceCurrency: text('price_currency'),
    /** Null for every currency with a verified wallet. */
    currencies: text('currencies').$type<Currency>().array(),
    /** Sells one piece, like a stock of one. */
    singleUse: boolean('single_use').notNull().default(false),
    /** The pieces of its whole life, those sold included; null for any number. */
    stock: integer('stock'),
    returnUrl: text('return_url'),
    expiresAt: instant('expires_at'),
    disabled: boolean('disabled').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index('payment_links_project_idx').on(t.projectId, t.id),
    check('payment_links_price', sql`${t.priceAmount} is null or ${t.priceCurrency} is not null`),
    check('payment_links_amount', sql`${t.amount} is null or ${t.priceCurrency} is null`),
    check('payment_links_stock', sql`${t.stock} is null or (${t.stock} > 0 and not ${t.singleUse})`),
  ],
);

/** The invoices of the links. Each holds a piece of the stock until it is `returned`; see pieces.ts. */
export const paymentLinkSales = pgTable(
  'payment_link_sales',
  {
    invoiceId: reference('invoice_id')
      .primaryKey()
      .references(() => invoices.id),
    /** Without a foreign key: the sales of a deleted link stay. */
    paymentLinkId: reference('payment_link_id').notNull(),
    returned: boolean('returned').notNull().default(false),
  },
  (t) => [
    index('payment_link_sales_held_idx')
      .on(t.paymentLinkId, t.invoiceId)
      .where(sql`not ${t.returned}`),
  ],
);
