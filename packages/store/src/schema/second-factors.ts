import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { accounts } from './accounts.ts';
import { bytea, createdAt, identity, instant, reference } from './columns.ts';

/** Authenticator apps of accounts. One that was never confirmed protects nothing. */
export const secondFactors = pgTable(
  'second_factors',
  {
    id: identity(),
    publicId: uuid('public_id').notNull().unique().defaultRandom(),
    accountId: reference('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text('kind').$type<'totp'>().notNull().default('totp'),
    name: text('name').notNull(),
    /** The shared key of RFC 6238 in base32, sealed for this row. */
    secretSealed: bytea('secret_sealed').notNull(),
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
    check('second_factors_kind', sql`${t.kind} = 'totp'`),
  ],
);

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
