import { sql } from 'drizzle-orm';
import { bigint, customType, timestamp } from 'drizzle-orm/pg-core';

/** Raw bytes. Transaction and block ids are stored in display order, so that `encode(txid, 'hex')` is what explorers show. */
export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });

/** Surrogate key; never leaves the service. */
export const identity = () => bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity();

export const reference = (name: string) => bigint(name, { mode: 'bigint' });

/** Money in minimal units (satoshi, litoshi). */
export const amount = (name: string) => bigint(name, { mode: 'bigint' });

/** A number that only grows. */
export const counter = (name: string) => bigint(name, { mode: 'bigint' });

export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * Number of the transaction that wrote the row. Reading by it misses no late commit, as reading by an id or a time would; see
 * match-filter.ts.
 */
export const recordedIn = () =>
  xid8('recorded_in')
    .notNull()
    .default(sql`pg_current_xact_id()`);

export const createdAt = () => instant('created_at').notNull().defaultNow();
