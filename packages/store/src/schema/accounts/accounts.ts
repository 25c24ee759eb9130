import type {
  Branding,
  DonationPage,
  MailLanguage,
  NoticeKind,
  OverlaySettings,
  OverlaySources,
} from '@paywatch/domain/contract';
import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  inet,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytea, createdAt, identity, instant, reference } from '../columns.ts';

/** A registered person. `email` is stored trimmed and lower-cased. */
export const accounts = pgTable('accounts', {
  id: identity(),
  /** Names the account in the operator's area. By default, so that earlier releases can add rows. */
  publicId: text('public_id')
    .notNull()
    .unique()
    .default(sql`'acc_' || replace(gen_random_uuid()::text, '-', '')`),
  email: text('email').notNull().unique(),
  /** When the owner proved that the email is theirs; null until then. Without it no notices are mailed. */
  emailVerifiedAt: instant('email_verified_at'),
  passwordHash: text('password_hash').notNull(),
  /** Of mails. */
  language: text('language').$type<MailLanguage>().notNull().default('en'),
  /** The kinds of notices that the owner does not want. */
  mutedNotices: text('muted_notices').array().$type<NoticeKind[]>().notNull().default([]),
  /** The name of the account in passkeys: random, so that it reveals nothing about the owner. Null until the first one. */
  passkeyUserId: uuid('passkey_user_id'),
  /** How often the operator has unlocked the account: failed logins before the last time do not count. */
  unlocks: integer('unlocks').notNull().default(0),
  /** Whether the owner runs this deployment: sees and changes other accounts in the operator's area. */
  isOperator: boolean('is_operator').notNull().default(false),
  createdAt: createdAt(),
  /** When it was deleted; null while it is in use. The row stays without a password, and with an email that nobody has. */
  deletedAt: instant('deleted_at'),
});

/**
 * The projects of accounts. `accountId` is the account that a project belongs to: it is an owner for good, its limits count there and
 * its mails go there. The oldest project of an account is its first. The tokens are capabilities in public links.
 */
export const projects = pgTable(
  'projects',
  {
    id: identity(),
    /** Names the project in the API. By default, so that earlier releases can add rows. */
    publicId: text('public_id')
      .notNull()
      .unique()
      .default(sql`'prj_' || replace(gen_random_uuid()::text, '-', '')`),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    name: text('name').notNull().default(''),
    donateToken: text('donate_token').notNull().unique(),
    overlayToken: text('overlay_token').notNull().unique(),
    /** What the owner changed; the rest has its default. */
    overlaySettings: jsonb('overlay_settings').$type<Partial<OverlaySettings>>().notNull().default({}),
    /** The goal and the counter, where the owner has set them. */
    overlaySources: jsonb('overlay_sources').$type<Partial<OverlaySources>>().notNull().default({}),
    /** Grows with each change of the settings or the sources. */
    overlayVersion: integer('overlay_version').notNull().default(0),
    /** What was changed of the look of the payment pages; the rest has its default. */
    branding: jsonb('branding').$type<Partial<Branding>>().notNull().default({}),
    /** The same of the donation page. */
    donationPage: jsonb('donation_page').$type<Partial<DonationPage>>().notNull().default({}),
    subscriptionActiveUntil: instant('subscription_active_until'),
    /** The operator's own limit for derived addresses before payments raise it; null: ACCOUNT_ADDRESSES. */
    addressLimit: integer('address_limit'),
    /** What priced orders cost more than their price, in basis points: for the risk that the rate falls until they are paid. */
    priceMarginBps: integer('price_margin_bps').notNull().default(0),
    /** The same for priced orders that live longer than an hour; null: there are none. */
    longPriceMarginBps: integer('long_price_margin_bps'),
    /** What accepted money is also shown in (ISO 4217); null: only in coins. */
    fiatCurrency: text('fiat_currency'),
    /** The origins whose pages may frame the payment pages of this project. */
    embedSites: text('embed_sites').array().notNull().default([]),
    /** The owner's own delay of changes of wallets; null: the one of the deployment. */
    walletDelaySeconds: integer('wallet_delay_seconds'),
    /** A shorter delay, and from when on it holds; both null if none waits. */
    nextWalletDelaySeconds: integer('next_wallet_delay_seconds'),
    nextWalletDelayAt: instant('next_wallet_delay_at'),
    /** After how many days donors' names and messages are removed; null: never. */
    donorTextsDays: integer('donor_texts_days'),
    /** Invoices from before that have none any more; null: nothing was removed yet. */
    donorTextsRemovedTo: instant('donor_texts_removed_to'),
    createdAt: createdAt(),
    /** When its owner's account was deleted; null while it is in use. */
    deletedAt: instant('deleted_at'),
    /** When what was kept for bookkeeping was removed, some time after `deleted_at`. */
    emptiedAt: instant('emptied_at'),
  },
  (t) => [
    // Few at any time: deleted projects that still have what is kept for bookkeeping.
    index('projects_deleted_idx')
      .on(t.deletedAt)
      .where(sql`${t.deletedAt} is not null and ${t.emptiedAt} is null`),
    index('projects_account_idx').on(t.accountId, t.id),
    index('projects_subscription_idx').on(t.subscriptionActiveUntil),
    index('projects_donor_texts_idx')
      .on(t.donorTextsRemovedTo.asc().nullsFirst())
      .where(sql`${t.donorTextsDays} is not null`),
  ],
);

/** A session. Only the SHA-256 of the token is stored; a session ends by the deletion of its row. */
export const sessions = pgTable(
  'sessions',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    /** Names the session in the API, where it can be listed and ended. */
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    /** When a request last used it, up to a minute late, at first the login; null if written by an earlier release. */
    lastUsedAt: instant('last_used_at'),
    /** The address and the User-Agent of the last use, at first those of the login; null if unknown. */
    ip: inet('ip'),
    userAgent: text('user_agent'),
    /** When a second factor was last given; null if never. */
    reauthenticatedAt: instant('reauthenticated_at'),
    /** When the password was last given after the login; null if never. */
    passwordAt: instant('password_at'),
  },
  (t) => [index('sessions_account_idx').on(t.accountId), index('sessions_expires_idx').on(t.expiresAt)],
);

/** Networks (IPv4 address or IPv6 /64) from which an account has logged in; failed logins are counted for each. */
export const loginOrigins = pgTable(
  'login_origins',
  {
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id),
    origin: text('origin').notNull(),
    lastLoginAt: instant('last_login_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.accountId, t.origin] }),
    index('login_origins_last_login_idx').on(t.lastLoginAt),
  ],
);

/** Server-to-server credentials. Only the SHA-256 of the secret part is stored. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: identity(),
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id),
    keyPublic: text('key_public').notNull().unique(),
    secretHash: bytea('secret_hash').notNull(),
    /** Empty where none was given. */
    name: text('name').notNull().default(''),
    scope: text('scope').$type<'full' | 'invoices' | 'custom'>().notNull(),
    /** The scopes of a `custom` key; null for the named sets. */
    scopes: text('scopes').array(),
    expiresAt: instant('expires_at'),
    /** CIDR ranges; null: the key may be used from anywhere. */
    allowedAddresses: text('allowed_addresses').array(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
    lastUsedIp: inet('last_used_ip'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    index('api_keys_project_idx').on(t.projectId, t.id),
    check('api_keys_scope', sql`${t.scope} in ('full', 'invoices', 'custom')`),
    check('api_keys_scopes', sql`(${t.scope} = 'custom') = (${t.scopes} is not null)`),
  ],
);

/** Who changed what on an account, and from where. Never contains a secret, an extended key or an email. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: identity(),
    /** Names the line in the API: `id` would reveal how much happens in the whole deployment. */
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    accountId: reference('account_id').references(() => accounts.id),
    projectId: reference('project_id').references(() => projects.id),
    action: text('action').notNull(),
    /** The account whose session acted; null for API keys, the operator and the product itself. */
    actorAccountId: reference('actor_account_id'),
    /** The address of the client; null if the change did not come over the network, and in lines of earlier releases. */
    ip: inet('ip'),
    detail: jsonb('detail').notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [
    index('audit_log_project_idx').on(t.projectId, t.createdAt, t.id),
    index('audit_log_project_action_idx').on(t.projectId, t.action, t.createdAt, t.id),
    index('audit_log_account_idx').on(t.accountId, t.createdAt, t.id),
    index('audit_log_account_action_idx').on(t.accountId, t.action, t.createdAt, t.id),
    // Few: what operators did, over all accounts.
    index('audit_log_operator_idx')
      .on(t.createdAt, t.id)
      .where(sql`${t.detail}->>'actor' = 'operator'`),
  ],
);

export type AccountRow = typeof accounts.$inferSelect;
export type ProjectRow = typeof projects.$inferSelect;
export type ApiKeyRow = typeof apiKeys.$inferSelect;
