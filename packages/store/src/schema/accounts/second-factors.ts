import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, identity, instant, reference } from '../columns.ts';

/** Authenticator apps and passkeys of accounts. One that was never confirmed protects nothing. */
export const secondFactors = pgTable(
  'second_factors',
  {
    id: identity(),
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<'totp' | 'passkey'>().notNull().default('totp'),
    name: text('name').notNull(),
    /** The shared key of RFC 6238 in base32, sealed for this row; null for a passkey. */
    secretSealed: bytea('secret_sealed'),
    /** The time step of the last code that was accepted: each code works once. */
    lastStep: bigint('last_step', { mode: 'number' }),
    lastUsedAt: instant('last_used_at'),
    confirmedAt: instant('confirmed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('second_factors_account_idx').on(t.accountId),
    index('second_factors_unconfirmed_idx')
      .on(t.createdAt)
      .where(sql`${t.confirmedAt} is null`),
    check(
      'second_factors_secret',
      sql`${t.kind} in ('totp', 'passkey') and (${t.secretSealed} is null) = (${t.kind} = 'passkey')`,
    ),
  ],
);

/** What passkeys have besides other second factors. */
export const passkeys = pgTable(
  'passkeys',
  {
    factorId: reference('factor_id')
      .primaryKey()
      .references(() => secondFactors.id, { onDelete: 'cascade' }),
    /** At most 1,023 bytes, chosen by the authenticator; unique over all accounts. */
    credentialId: bytea('credential_id').notNull().unique(),
    /** COSE_Key of RFC 9052. */
    publicKey: bytea('public_key').notNull(),
    /** The signature counter of the last use; 0 if the authenticator has none. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
  },
  (t) => [check('passkeys_size', sql`length(${t.credentialId}) <= 1023 and length(${t.publicKey}) <= 2048`)],
);

/** Challenges that a passkey has not answered yet. Only the SHA-256 is stored; an answered one is deleted, right or wrong. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    challengeHash: bytea('challenge_hash').primaryKey(),
    purpose: text('purpose').$type<PasskeyPurpose>().notNull(),
    /** The session that may respond; null for a login, whose account is not known yet. */
    sessionHash: bytea('session_hash'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('passkey_challenges_session_idx').on(t.sessionHash, t.purpose),
    index('passkey_challenges_expires_idx').on(t.expiresAt),
    check(
      'passkey_challenges_purpose',
      sql`${t.purpose} in ('add', 'reauthenticate', 'login') and (${t.sessionHash} is null) = (${t.purpose} = 'login')`,
    ),
  ],
);

/** What the response to a challenge is for. */
export type PasskeyPurpose = 'add' | 'reauthenticate' | 'login';

/** Single-use codes that replace a lost second factor. Only the SHA-256 is stored; a used code is deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    codeHash: bytea('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.codeHash] })],
);

/** Logins whose password was right and whose second factor is still missing. Only the SHA-256 of the token is stored. */
export const loginChallenges = pgTable(
  'login_challenges',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Codes that were tried. */
    attempts: integer('attempts').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    index('login_challenges_account_idx').on(t.accountId),
    index('login_challenges_expires_idx').on(t.expiresAt),
  ],
);
