import type { Currency } from '@paywatch/domain/values';
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
import { projects } from './accounts/accounts.ts';
import { bytea, counter, createdAt, identity, instant, recordedIn, reference } from './columns.ts';

type AddressClass = 'orders' | 'any' | 'guests';
type ScriptType = 'p2pkh' | 'p2sh_p2wpkh' | 'p2wpkh';
export type WalletStatus = 'unverified' | 'pending' | 'verified' | 'replaced';
type PoolHealth = 'ample' | 'low' | 'dry';

/**
 * The receive addresses of one key: (currency, script type, public key, chain code, branch), identified by `key_id`. Projects
 * that register the same key share the pool; the first one to verify the key owns it and sets its gap limit.
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
    /** Of an unowned pool: the project that its addresses were derived for and count for. */
    registeredBy: reference('registered_by').references(() => projects.id),
    gapLimit: integer('gap_limit').notNull(),
    startIndex: integer('start_index').notNull().default(0),
    /** Highest index with an output in a best-chain block; start_index - 1 if there is none. */
    lastUsedIndex: integer('last_used_index').notNull().default(-1),
    /** First index that is not derived. Only grows. Index 0 is the verification address and is never leased. */
    derivedUntil: integer('derived_until').notNull().default(1),
    /** Number of derived addresses, which the account's limit counts. */
    derivedCount: integer('derived_count').notNull().default(0),
    /** Number of addresses that blocks had paid before they were watched: each raises the account's limit. */
    historyCount: integer('history_count').notNull().default(0),
    /** When addresses were last derived for it, or the limit was found to prevent that. Orders the refills. */
    refilledAt: instant('refilled_at'),
    /** Since when its account's limit has prevented the derivation of addresses in its window; null if it does not. */
    limitedSince: instant('limited_since'),
    /** At most one past the highest index ever leased; readers also look at `pool_addresses`. */
    nextIndex: integer('next_index').notNull().default(1),
    /** When its first addresses became leasable; null before that. */
    historyCheckedAt: instant('history_checked_at'),
    /** Since when a history read has been pending; null if none is. */
    historyWantedAt: instant('history_wanted_at'),
    /** What was left for its owner's orders at the last check; changes are logged. */
    health: text('health').$type<PoolHealth>().notNull().default('ample'),
    free: integer('free').notNull().default(0),
    leased: integer('leased').notNull().default(0),
    quarantined: integer('quarantined').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    unique('pools_key').on(t.currency, t.keyId),
    index('pools_owner_idx').on(t.ownerProjectId),
    index('pools_registered_idx')
      .on(t.registeredBy)
      .where(sql`${t.ownerProjectId} is null`),
    // For refills: pools whose window reaches beyond the derived addresses, those that have waited longest first. For an
    // unverified key only the first twenty addresses are derived.
    index('pools_window_idx')
      .on(t.refilledAt.asc().nullsFirst(), t.id)
      .where(
        sql`${t.derivedUntil} <= greatest(${t.lastUsedIndex}, ${t.startIndex} - 1)
          + case when ${t.ownerProjectId} is null then least(${t.gapLimit}, 20) else ${t.gapLimit} end`,
      ),
    // Few at any time: pools that are checked until they have recovered.
    index('pools_short_idx')
      .on(t.id)
      .where(sql`${t.health} <> 'ample'`),
    // Few at any time: counted by doctor and the metrics.
    index('pools_limited_idx')
      .on(t.id)
      .where(sql`${t.limitedSince} is not null`),
    check('pools_health', sql`${t.health} in ('ample', 'low', 'dry')`),
  ],
);

/**
 * A project's registration of a key. Each project and currency has at most one of each: unverified; pending, which is verified and
 * takes effect at `effective_at`; verified, which serves.
 */
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
    status: text('status').$type<WalletStatus>().notNull().default('unverified'),
    createdAt: createdAt(),
    verifiedAt: instant('verified_at'),
    /** From when on a wallet that waited served, or may serve; null for those that took effect when they were verified. */
    effectiveAt: instant('effective_at'),
    replacedAt: instant('replaced_at'),
  },
  (t) => [
    uniqueIndex('wallets_one_verified')
      .on(t.projectId, t.currency)
      .where(sql`${t.status} = 'verified'`),
    uniqueIndex('wallets_one_unverified')
      .on(t.projectId, t.currency)
      .where(sql`${t.status} = 'unverified'`),
    uniqueIndex('wallets_one_pending')
      .on(t.projectId, t.currency)
      .where(sql`${t.status} = 'pending'`),
    // Few at any time: changes that wait for their moment.
    index('wallets_effective_idx')
      .on(t.effectiveAt)
      .where(sql`${t.status} = 'pending'`),
    index('wallets_pool_idx').on(t.poolId),
    check('wallets_status', sql`${t.status} in ('unverified', 'pending', 'verified', 'replaced')`),
    check('wallets_pending', sql`${t.status} <> 'pending' or ${t.effectiveAt} is not null`),
    check('wallets_gap_limit', sql`${t.gapLimit} between 1 and 100000`),
  ],
);

/**
 * Derived addresses of a pool. All of them are watched. derived: not leasable until the leader of the chain has checked that it
 * received nothing (promote-addresses.ts). free, released_at null: never leased. free, released_at set: leasable again after
 * the quarantine, because the invoice that held it was not paid or all its payments are void. leased: held by an open invoice.
 * retired: it received something.
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
    /** Who may lease it, by its index; see domain/address-classes.ts. */
    addressClass: text('address_class').$type<AddressClass>().notNull(),
    state: text('state').$type<'derived' | 'free' | 'leased' | 'retired'>().notNull().default('derived'),
    leaseCount: integer('lease_count').notNull().default(0),
    /** Only the project that held it before may lease it again. */
    lastProjectId: reference('last_project_id'),
    releasedAt: instant('released_at'),
    /** Whether a source was asked what it had received before it was watched. */
    historyAsked: boolean('history_asked').notNull().default(false),
    /** A block paid it before it was watched: no payment records that, and it is retired for good. */
    hasHistory: boolean('has_history').notNull().default(false),
    /** A donation held it once, so it is leased to donations only. */
    donated: boolean('donated').notNull().default(false),
    /**
     * Keyed hashes of the site and the network of the last donor or buyer from the operator, to limit what each holds. Kept while
     * that invoice is open, and for 24 hours or the quarantine after it; null for all others.
     */
    donorNetwork: bytea('donor_network'),
    recordedIn: recordedIn(),
  },
  (t) => [
    primaryKey({ columns: [t.poolId, t.addressIndex] }),
    index('pool_addresses_fresh_idx')
      .on(t.poolId, t.addressClass, t.addressIndex)
      .where(sql`${t.state} = 'free' and ${t.releasedAt} is null`),
    index('pool_addresses_rested_idx')
      .on(t.poolId, t.lastProjectId, t.donated, t.releasedAt)
      .where(sql`${t.state} = 'free' and ${t.releasedAt} is not null`),
    // Few at any time: addresses that are not leasable yet.
    index('pool_addresses_derived_idx')
      .on(t.poolId, t.addressIndex)
      .where(sql`${t.state} = 'derived'`),
    // Few at any time: addresses whose history has not been read.
    index('pool_addresses_unasked_idx')
      .on(t.poolId, t.addressIndex)
      .where(sql`not ${t.historyAsked} and ${t.state} in ('derived', 'free')`),
    // Few at any time: addresses that donors hold, or that are in quarantine after them.
    index('pool_addresses_donor_idx')
      .on(t.poolId, t.donorNetwork)
      .where(sql`${t.donorNetwork} is not null`),
    // A merchant verifies a wallet with any of its addresses, leased or not.
    index('pool_addresses_script_idx').on(t.script),
    index('pool_addresses_recorded_idx').on(t.recordedIn),
    check('pool_addresses_class', sql`${t.addressClass} in ('orders', 'any', 'guests')`),
    check('pool_addresses_state', sql`${t.state} in ('derived', 'free', 'leased', 'retired')`),
    check('pool_addresses_not_verification', sql`${t.addressIndex} > 0`),
  ],
);

/** Which invoice held which script when. The partial unique index guarantees that no two open invoices share an address. */
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
    /** No longer used; to be removed in a later release. */
    watched: boolean('watched').notNull().default(true),
    /**
     * How far the chain had been read when the lease started: what was recorded up to this counter, or mined up to this tip, is
     * older. Null for leases of older releases, and for imported orders, which start at a time.
     */
    readCounter: counter('read_counter'),
    tipHeight: integer('tip_height'),
    tipHash: bytea('tip_hash'),
    /** Of an imported order: the rescan of the blocks since its creation. The order does not end before that. */
    rescanId: reference('rescan_id'),
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
