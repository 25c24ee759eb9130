import type { Currency } from '@paywatch/domain/values';
import { sql } from 'drizzle-orm';
import { check, jsonb, numeric, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/**
 * The rate of each currency in each currency of prices. All times are by the clock of Postgres, so that every process agrees on
 * how old a rate is.
 */
export const exchangeRates = pgTable(
  'exchange_rates',
  {
    currency: text('currency').$type<Currency>().notNull(),
    /** ISO 4217. */
    priceCurrency: text('price_currency').notNull(),
    /** The last accepted rate: the price of one coin. Null before the first. */
    value: numeric('value'),
    sources: text('sources').array(),
    takenAt: instant('taken_at'),
    /** A rate that jumped, until a second reading confirms it. */
    candidate: numeric('candidate'),
    candidateAt: instant('candidate_at'),
    /** Why no invoice may use the accepted rate; null if it may be used while it is recent. */
    withheld: text('withheld').$type<'disagreement' | 'jump'>(),
    /** What each source answered to the last reading, for the operator. */
    quotes: jsonb('quotes')
      .notNull()
      .default(sql`'[]'`),
    readAt: instant('read_at'),
    /** When a watcher last claimed the next reading. Only the watcher that holds this claim may store it. */
    claimedAt: instant('claimed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.currency, t.priceCurrency] }),
    check('exchange_rates_value', sql`${t.value} > 0 and coalesce(${t.candidate}, 1) > 0`),
    check(
      'exchange_rates_taken',
      sql`(${t.value} is null) = (${t.takenAt} is null) and (${t.value} is null) = (${t.sources} is null)`,
    ),
    check('exchange_rates_candidate', sql`(${t.candidate} is null) = (${t.candidateAt} is null)`),
    check('exchange_rates_withheld', sql`${t.withheld} in ('disagreement', 'jump')`),
  ],
);
