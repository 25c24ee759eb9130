import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { projects } from './accounts.ts';
import { bytea, createdAt, identity, instant, recordedIn, reference } from './columns.ts';

type AddressClass = 'orders' | 'any' | 'guests';
type Currency = 'BTC' | 'LTC';
type ScriptType = 'p2pkh' | 'p2sh_p2wpkh' | 'p2wpkh';
type PoolHealth = 'ample' | 'low' | 'dry';

/**
 * The receive addresses of one key: (currency, script type, public key, chain code, branch), named by `key_id`.
 * Projects that register the same key share the pool; the first one to verify it owns it, and its gap limit rules.
 */
export const pools = pgTable(
  'pools',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    keyId: text('key_id').notNull(),
    xpub: text('xpub').notNull(),
    scriptType: text('script_type').$type<ScriptType>().notNull(),
    branch: integer('branch').notNull(),
    ownerProjectId: reference('owner_project_id').references(() => projects.id),
    gapLimit: integer('gap_limit').notNull(),
    startIndex: integer('start_index').notNull().default(0),
    /** Highest index with an output in a best-chain block; start_index - 1 while there is none. */
    lastUsedIndex: integer('last_used_index').notNull().default(-1),
    /** First index that is not derived. Only grows. Index 0 is the verification address and is never leased. */
    derivedUntil: integer('derived_until').notNull().default(1),
    /** At most one past the highest index ever leased; readers add what `pool_addresses` says since. */
    nextIndex: integer('next_index').notNull().default(1),
    /** When the source said which indexes already have a history; null keeps the pool shut while a source can tell. */
    historyCheckedAt: instant('history_checked_at'),
    /** What its owner's orders had left when it was last looked at; its changes are logged. */
    health: text('health').$type<PoolHealth>().notNull().default('ample'),
    free: integer('free').notNull().default(0),
    leased: integer('leased').notNull().default(0),
    quarantined: integer('quarantined').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    unique('pools_key').on(t.currency, t.keyId),
    // What the refill looks for: pools whose window reaches beyond what is derived, or whose history is unread.
    index('pools_refill_idx')
      .on(t.id)
      .where(
        sql`${t.ownerProjectId} is not null
          and (${t.derivedUntil} <= greatest(${t.lastUsedIndex}, ${t.startIndex} - 1) + ${t.gapLimit}
            or ${t.historyCheckedAt} is null)`,
      ),
    // Few at any time: those that are looked at again until they have recovered.
    index('pools_short_idx')
      .on(t.id)
      .where(sql`${t.health} <> 'ample'`),
    check('pools_health', sql`${t.health} in ('ample', 'low', 'dry')`),
  ],
);

/** A project's claim to a pool. At most one verified and one still unverified for each project and currency. */
export const wallets = pgTable(
  'wallets',
  {
    id: identity(),
    projectId: reference('project_id')
      .notNull()
      .references(() => projects.id),
    currency: text('currency').$type<Currency>().notNull(),
    poolId: reference('pool_id')
      .notNull()
      .references(() => pools.id),
    scriptType: text('script_type').$type<ScriptType>().notNull(),
    derivationPath: text('derivation_path'),
    verificationAddress: text('verification_address').notNull(),
    gapLimit: integer('gap_limit').notNull(),
    startIndex: integer('start_index').notNull().default(0),
    status: text('status').$type<'unverified' | 'verified' | 'replaced'>().notNull().default('unverified'),
    createdAt: createdAt(),
    verifiedAt: instant('verified_at'),
    replacedAt: instant('replaced_at'),
  },
  (t) => [
    uniqueIndex('wallets_one_verified')
      .on(t.projectId, t.currency)
      .where(sql`${t.status} = 'verified'`),
    uniqueIndex('wallets_one_unverified')
      .on(t.projectId, t.currency)
      .where(sql`${t.status} = 'unverified'`),
    index('wallets_pool_idx').on(t.poolId),
    check('wallets_status', sql`${t.status} in ('unverified', 'verified', 'replaced')`),
    check('wallets_gap_limit', sql`${t.gapLimit} between 1 and 100000`),
  ],
);

/**
 * Derived addresses of a pool.
 * free, released_at null: never leased. free, released_at set: held by an expired invoice that nobody paid; leasable
 * again after the quarantine. leased: some open invoice holds it. retired: it received something, once and for ever.
 */
export const poolAddresses = pgTable(
  'pool_addresses',
  {
    poolId: reference('pool_id')
      .notNull()
      .references(() => pools.id),
    addressIndex: integer('address_index').notNull(),
    script: bytea('script').notNull(),
    address: text('address').notNull(),
    /** Who may ever hold it, by its index: see domain/address-classes.ts. */
    addressClass: text('address_class').$type<AddressClass>().notNull(),
    state: text('state').$type<'free' | 'leased' | 'retired'>().notNull().default('free'),
    leaseCount: integer('lease_count').notNull().default(0),
    /** Re-leases stay with the project that held it before. */
    lastProjectId: reference('last_project_id'),
    releasedAt: instant('released_at'),
  },
  (t) => [
    primaryKey({ columns: [t.poolId, t.addressIndex] }),
    index('pool_addresses_fresh_idx')
      .on(t.poolId, t.addressClass, t.addressIndex)
      .where(sql`${t.state} = 'free' and ${t.releasedAt} is null`),
    index('pool_addresses_released_idx')
      .on(t.poolId, t.lastProjectId, t.releasedAt)
      .where(sql`${t.state} = 'free' and ${t.releasedAt} is not null`),
    // A merchant who verifies a wallet shows any of its addresses, leased or not.
    index('pool_addresses_script_idx').on(t.script),
    check('pool_addresses_class', sql`${t.addressClass} in ('orders', 'any', 'guests')`),
    check('pool_addresses_state', sql`${t.state} in ('free', 'leased', 'retired')`),
    check('pool_addresses_not_verification', sql`${t.addressIndex} > 0`),
  ],
);

/** Who held which script when. The partial unique index is the guarantee that no two open invoices share an address. */
export const addressLeases = pgTable(
  'address_leases',
  {
    id: identity(),
    currency: text('currency').$type<Currency>().notNull(),
    script: bytea('script').notNull(),
    poolId: reference('pool_id').notNull(),
    addressIndex: integer('address_index').notNull(),
    invoiceId: bigint('invoice_id', { mode: 'bigint' }).notNull(),
    leasedAt: instant('leased_at').notNull().defaultNow(),
    releasedAt: instant('released_at'),
    /** Whether the Redis watch set still carries the script; false 90 days after the last lease. */
    watched: boolean('watched').notNull().default(true),
    recordedIn: recordedIn(),
  },
  (t) => [
    uniqueIndex('address_leases_one_active')
      .on(t.currency, t.script)
      .where(sql`${t.releasedAt} is null`),
    index('address_leases_script_idx').on(t.script, t.currency),
    index('address_leases_unwatch_idx')
      .on(t.releasedAt)
      .where(sql`${t.watched} and ${t.releasedAt} is not null`),
    index('address_leases_recorded_idx').on(t.recordedIn),
    unique('address_leases_invoice').on(t.invoiceId),
  ],
);

export type PoolRow = typeof pools.$inferSelect;
export type WalletRow = typeof wallets.$inferSelect;
export type PoolAddressRow = typeof poolAddresses.$inferSelect;
export type AddressLeaseRow = typeof addressLeases.$inferSelect;
