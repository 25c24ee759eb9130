import { sql } from 'drizzle-orm';
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { MailLanguage } from '@paywatch/domain/contract';
import { accounts } from './accounts.ts';
import { projectInvitations } from './members.ts';
import { bytea, createdAt, identity, instant, reference } from '../columns.ts';
import type { MailData, MailKind } from '../../mails/mail-kinds.ts';

/**
 * Mails to send, written in the transaction that causes them. A worker composes the text when it sends: no row contains a link
 * or a token. `relay_at` is when a relay looks at the row again: later than `next_attempt_at` while a job is queued or an attempt
 * is made. Whatever is lost in between, the row becomes due again.
 */
export const mails = pgTable(
  'mails',
  {
    id: identity(),
    /** The local part of the Message-ID, the same in each attempt: receivers drop repeats. */
    messageId: uuid('message_id').notNull().defaultRandom(),
    /** Null for a password reset: only the worker looks for an account with this email. */
    accountId: reference('account_id').references(() => accounts.id, { onDelete: 'cascade' }),
    recipient: text('recipient').notNull(),
    kind: text('kind').$type<MailKind>().notNull(),
    language: text('language').$type<MailLanguage>().notNull(),
    /** What the text names, for example a currency. Never a secret. */
    data: jsonb('data').$type<MailData>().notNull().default({}),
    /** At most one mail is written for a key. */
    dedupeKey: text('dedupe_key').unique(),
    status: text('status').$type<'pending' | 'sent' | 'failed' | 'dropped'>().notNull().default('pending'),
    /** Grows with each claim: only the report of the latest claim counts. */
    claims: integer('claims').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    relayAt: instant('relay_at').notNull().defaultNow(),
    /** Nobody needs the mail after that. */
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('mails_relay_idx')
      .on(t.relayAt)
      .where(sql`${t.status} = 'pending'`),
    index('mails_recipient_idx').on(t.recipient, t.kind, t.createdAt),
    index('mails_account_idx').on(t.accountId, t.kind, t.createdAt),
    index('mails_created_idx').on(t.createdAt),
    check('mails_status', sql`${t.status} in ('pending', 'sent', 'failed', 'dropped')`),
    check('mails_ended', sql`(${t.status} = 'pending') = (${t.endedAt} is null)`),
  ],
);

/** Single-use tokens of links in mails. Only the SHA-256 is stored; a token ends by the deletion of its row. */
export const emailTokens = pgTable(
  'email_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    /** The account that the token acts for; for an invitation, the inviter. */
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    purpose: text('purpose').$type<EmailTokenPurpose>().notNull(),
    /** The address that received the token, which its use proves. */
    email: text('email').notNull(),
    /** The invitation that the token accepts; null for the other purposes. */
    invitationId: reference('invitation_id').references(() => projectInvitations.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('email_tokens_account_idx').on(t.accountId, t.purpose),
    index('email_tokens_invitation_idx')
      .on(t.invitationId)
      .where(sql`${t.invitationId} is not null`),
    index('email_tokens_expires_idx').on(t.expiresAt),
  ],
);

/** What a token allows. The two confirmations of a change of email have a token each. */
export type EmailTokenPurpose =
  'verify' | 'reset' | 'change_from' | 'change_to' | 'cancel_wallet_changes' | 'invitation';

/** A change of an account's email that waits for the confirmations of both addresses. */
export const emailChanges = pgTable(
  'email_changes',
  {
    accountId: reference('account_id')
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    newEmail: text('new_email').notNull(),
    currentConfirmedAt: instant('current_confirmed_at'),
    newConfirmedAt: instant('new_confirmed_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [index('email_changes_expires_idx').on(t.expiresAt)],
);
