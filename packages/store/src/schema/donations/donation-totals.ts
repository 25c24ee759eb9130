import { sql } from 'drizzle-orm';
import { check, date, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { amount, bytea, reference } from '../columns.ts';

const zero = sql`0`;
const sums = () => ({
  btcAmount: amount('btc_amount').notNull().default(zero),
  ltcAmount: amount('ltc_amount').notNull().default(zero),
});

/** The donations that overlays got on a UTC day. */
export const donationDays = pgTable(
  'donation_days',
  {
    projectId: reference('project_id').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    ...sums(),
    donations: integer('donations').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.day] })],
);

/** What each named donor gave in a period that begins on the day `since`, in UTC; `all` begins at -infinity. */
export const donorTotals = pgTable(
  'donor_totals',
  {
    projectId: reference('project_id').notNull(),
    period: text('period').$type<'day' | 'week' | 'month' | 'all'>().notNull(),
    since: date('since', { mode: 'string' }).notNull(),
    /** SHA-256 of the name, trimmed and in lower case: an index holds no name of any length. */
    donor: bytea('donor').notNull(),
    /** As the donor wrote it last. */
    donorName: text('donor_name').notNull(),
    ...sums(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.period, t.since, t.donor] }),
    // The largest of a period are the first of one of these.
    index('donor_totals_btc_idx').on(t.projectId, t.period, t.since, t.btcAmount.desc()),
    index('donor_totals_ltc_idx').on(t.projectId, t.period, t.since, t.ltcAmount.desc()),
    index('donor_totals_past_idx')
      .on(t.since)
      .where(sql`${t.period} <> 'all'`),
    check('donor_totals_period', sql`${t.period} in ('day', 'week', 'month', 'all')`),
  ],
);

/** Up to which position the donations of a project are in the totals. */
export const countedDonations = pgTable('counted_donations', {
  projectId: reference('project_id').primaryKey(),
  countedTo: reference('counted_to').notNull(),
});
