import type { HeldDecision, HoldMode, HoldReason } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { projects } from '../accounts/accounts.ts';
import { amount, bytea, identity, instant, reference } from '../columns.ts';

/** A request to show a donation again. Numbers count up within a project. */
export type Replay = { number: number; position: string };

/** The moderation of a project's overlay: what the owner has set, and what moderators did last. A project without a row has defaults. */
export const overlayControls = pgTable(
  'overlay_controls',
  {
    projectId: reference('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The capability in the link of the control page; null: there is no such page. */
    token: text('token').unique(),
    /** Grows with each change of this row, and with each donation that is held or decided. */
    version: integer('version').notNull().default(0),
    hold: text('hold').$type<HoldMode>().notNull().default('none'),
    words: text('words').array().notNull().default([]),
    paused: boolean('paused').notNull().default(false),
    /** Percent of the volume in the settings of the overlay. */
    volume: smallint('volume').notNull().default(100),
    /** The alert that was shown then ends. */
    skippedAt: instant('skipped_at'),
    /** Donations up to this position and replays up to this number are not shown any more. */
    clearedTo: bigint('cleared_to', { mode: 'bigint' })
      .notNull()
      .default(sql`0`),
    clearedReplay: integer('cleared_replay').notNull().default(0),
    /** The last five. */
    replays: jsonb('replays').$type<Replay[]>().notNull().default([]),
  },
  (t) => [
    check('overlay_controls_hold', sql`${t.hold} in ('none', 'all', 'links_and_words', 'first_time')`),
    check('overlay_controls_volume', sql`${t.volume} between 0 and 100`),
  ],
);

/**
 * Confirmed donation transactions that moderators decide about. An approved one also has a row in overlay_donations, with the position
 * that it got then. A decided row stays, so that a repeated settlement does not hold the donation again.
 */
export const heldDonations = pgTable(
  'held_donations',
  {
    id: identity(),
    projectId: reference('project_id').notNull(),
    invoiceId: reference('invoice_id').notNull(),
    txid: bytea('txid').notNull(),
    publicId: text('public_id').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    amount: amount('amount').notNull(),
    donorName: text('donor_name'),
    donorMessage: text('donor_message'),
    confirmedAt: instant('confirmed_at').notNull().defaultNow(),
    /** The currency of the streamer (ISO 4217) and the rate in it when the donation was confirmed; null if none was wanted or known. */
    fiatCurrency: text('fiat_currency'),
    fiatRate: numeric('fiat_rate'),
    reason: text('reason').$type<HoldReason>().notNull(),
    /** Null until a moderator decides. */
    decision: text('decision').$type<HeldDecision>(),
    decidedAt: instant('decided_at'),
  },
  (t) => [
    uniqueIndex('held_donations_once').on(t.invoiceId, t.txid),
    index('held_donations_open_idx')
      .on(t.projectId, t.id)
      .where(sql`${t.decision} is null`),
    check('held_donations_decision', sql`${t.decision} in ('approved', 'text_blocked', 'dismissed')`),
    check('held_donations_decided', sql`(${t.decision} is null) = (${t.decidedAt} is null)`),
  ],
);
