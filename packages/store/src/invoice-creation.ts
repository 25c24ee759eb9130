import { classesFor, type Currency, type InvoiceType, type Lessee } from '@paywatch/domain';
import { randomBase58, randomFraction } from '@paywatch/runtime';
import { readFileSync } from 'node:fs';
import { violatedConstraint } from './database.ts';
import {
  GRACE_SECONDS,
  loadSnapshotsById,
  STALE_AFTER_SECONDS,
  toSnapshot,
  type SnapshotRow,
  type SnapshotSettings,
  type StoredSnapshot,
} from './invoice-snapshots.ts';
import { requestRefill, secondsUntilNextAddress } from './pools.ts';
import { STATS_SHARDS } from './project-stats.ts';
import { noteLease, takeLeaseHint, type LeaseHint, type NewLease } from './redis/free-addresses.ts';
import type { Store } from './store.ts';

/** On whose authority an invoice is created; checked by the statement that creates it. */
export type InvoiceCreator =
  | { kind: 'api_key'; apiKeyId: bigint }
  | { kind: 'session'; tokenHash: string }
  | { kind: 'donation_link'; donateToken: string };

/** An invoice to be created. Amounts in minimal units. */
export type NewInvoice = {
  projectId: bigint;
  creator: InvoiceCreator;
  type: InvoiceType;
  currency: Currency;
  expectedAmount: bigint | null;
  confirmationsRequired: number;
  orderId: string | null;
  donorName: string | null;
  donorMessage: string | null;
  returnUrl: string | null;
  ttlSeconds: number;
  /** SHA-256 of the request, to tell a repeat from another request under the same name; null where none can repeat. */
  requestHash: Uint8Array | null;
  idempotencyKey: string | null;
};

export type CreationSettings = SnapshotSettings & {
  /** How long an address rests at least before another invoice may get it. */
  quarantineSeconds: number;
};

/** What became of it: a new invoice, the one that the order_id or key already names, or the reason for neither. */
export type CreationOutcome =
  | { kind: 'created'; invoice: StoredSnapshot }
  | { kind: 'repeated'; invoice: StoredSnapshot; isSameRequest: boolean }
  | { kind: 'idempotency_conflict' | 'unauthorized' | 'subscription_inactive' | 'wallet_not_verified' }
  | { kind: 'address_pool_busy'; retryAfterSeconds: number | null };

/** Creates invoices; made once for each process. */
export type CreateInvoice = (invoice: NewInvoice) => Promise<CreationOutcome>;

/** Only a request that others run into again and again needs more than two. */
const MAX_TRIES = 10;

/** The one statement that creates an invoice; its contract stands on top of it. Exported for benchmarks. */
export const CREATE_INVOICE_STATEMENT = readFileSync(
  new URL('./statements/create-invoice.sql', import.meta.url),
  'utf8',
);

/**
 * Makes the function that creates invoices: one Postgres statement, and before and after it one Redis round trip that
 * it can do without. It is exact under any concurrency: an address has one open invoice, an order_id and a key one.
 */
export function invoiceCreation(store: Store, settings: CreationSettings): CreateInvoice {
  const routes = poolRoutes();
  return async (invoice) => {
    const route = routes.find(invoice);
    const hint = route ? await takeLeaseHint(store, route.poolId, lesseeOf(invoice, route)) : NO_HINT;
    const row = await executeInTurn(store, settings, invoice, route, hint.index);
    routes.remember(invoice, row);
    await Promise.allSettled([
      route && hint.wantsRefill ? requestRefill(store.sql, route.poolId) : undefined,
      row.id === null ? undefined : noteLease(store, leaseOf(row, hint.index)),
    ]);
    if (row.id === null) return refusalOf(store, settings, invoice, row);
    return { kind: 'created', invoice: toSnapshot(row, settings) };
  };
}

const NO_HINT: LeaseHint = { index: null, wantsRefill: false };

/** The row that the statement answers; what it means stands on top of the statement. */
type CreationRow = {
  is_authorized: boolean;
  is_subscribed: boolean;
  has_waited: boolean;
  repeats_order: bigint | null;
  order_request_hash: Buffer | null;
  repeats_key: bigint | null;
  key_request_hash: Buffer | null;
  wallet_pool_id: bigint | null;
  is_owner: boolean | null;
} & ((SnapshotRow & { script: Buffer; pool_id: bigint }) | { id: null });

/**
 * Runs the statement until its answer holds. A refusal of a named request is looked at twice: the first look may have
 * seen the database as it was before a request of the same name ended, and so neither its invoice nor a free address.
 */
async function executeInTurn(
  store: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  route: PoolRoute | null,
  hintedIndex: number | null,
): Promise<CreationRow> {
  const isNamed = invoice.orderId !== null || invoice.idempotencyKey !== null;
  for (let tries = 1; ; tries += 1) {
    try {
      const row = await execute(store, settings, invoice, route, hintedIndex);
      const isFound = row.id !== null || row.repeats_order !== null || row.repeats_key !== null;
      const isSecondLook = tries > 1 && !row.has_waited;
      if (isFound || isSecondLook || !isNamed || tries === MAX_TRIES) return row;
    } catch (error) {
      // The same script or name was taken in this moment; the next try sees by whom.
      if (violatedConstraint(error) === null || tries === MAX_TRIES) throw error;
    }
  }
}

async function execute(
  { sql }: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  route: PoolRoute | null,
  hintedIndex: number | null,
): Promise<CreationRow> {
  const { creator } = invoice;
  const [row] = await sql.unsafe<CreationRow[]>(
    CREATE_INVOICE_STATEMENT,
    [
      invoice.projectId,
      creator.kind,
      creator.kind === 'api_key' ? creator.apiKeyId : null,
      secretOf(creator),
      invoice.currency,
      invoice.type,
      invoice.expectedAmount,
      invoice.confirmationsRequired,
      invoice.orderId,
      invoice.donorName,
      invoice.donorMessage,
      invoice.returnUrl,
      invoice.ttlSeconds,
      settings.graceSeconds ?? GRACE_SECONDS,
      invoice.requestHash === null ? null : Buffer.from(invoice.requestHash),
      invoice.idempotencyKey,
      `inv_${randomBase58(16)}`,
      [...classesFor({ invoiceType: invoice.type, isOwner: true })],
      [...classesFor({ invoiceType: invoice.type, isOwner: false })],
      route?.poolId ?? null,
      hintedIndex,
      settings.quarantineSeconds,
      Math.floor(randomFraction() * STATS_SHARDS),
      STALE_AFTER_SECONDS,
    ],
    { prepare: true },
  );
  if (!row) throw new Error('the statement always answers one row');
  return row;
}

/** What Postgres looks the creator up by, where it is not the id of a key. */
function secretOf(creator: InvoiceCreator): string | null {
  if (creator.kind === 'donation_link') return creator.donateToken;
  return creator.kind === 'session' ? creator.tokenHash : null;
}

function leaseOf(row: CreationRow & { id: bigint }, hintedIndex: number | null): NewLease {
  const { currency, script, pool_id: poolId, address_index: index } = row;
  return { currency, script, poolId, index, hintedIndex };
}

/** Why no invoice was created, in the order in which the reasons count. */
async function refusalOf(
  store: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  row: CreationRow,
): Promise<CreationOutcome> {
  if (!row.is_authorized) return { kind: 'unauthorized' };
  const { repeats_order: byOrder, repeats_key: byKey } = row;
  if (byOrder !== null && byKey !== null && byOrder !== byKey) return { kind: 'idempotency_conflict' };
  const repeated = byOrder ?? byKey;
  if (repeated !== null) {
    const hash = row.order_request_hash ?? row.key_request_hash;
    return loadRepeated(
      store,
      settings,
      repeated,
      hash !== null && invoice.requestHash !== null && hash.equals(invoice.requestHash),
    );
  }
  if (!row.is_subscribed) return { kind: 'subscription_inactive' };
  if (row.wallet_pool_id === null) return { kind: 'wallet_not_verified' };
  const { projectId, currency, type: invoiceType } = invoice;
  const request = { projectId, currency, invoiceType, quarantineSeconds: settings.quarantineSeconds };
  return {
    kind: 'address_pool_busy',
    retryAfterSeconds: await secondsUntilNextAddress(store.sql, request),
  };
}

async function loadRepeated(
  store: Store,
  settings: CreationSettings,
  invoiceId: bigint,
  isSameRequest: boolean,
): Promise<CreationOutcome> {
  const [snapshot] = await loadSnapshotsById(store.sql, [invoiceId], settings);
  if (!snapshot) throw new Error('an invoice is never deleted');
  return { kind: 'repeated', invoice: snapshot, isSameRequest };
}

/** The pool that serves a project's currency, as last seen here: enough to ask Redis for a hint before Postgres. */
type PoolRoute = { poolId: bigint; isOwner: boolean };

function lesseeOf(invoice: NewInvoice, route: PoolRoute): Lessee {
  return { invoiceType: invoice.type, isOwner: route.isOwner };
}

/** A few megabytes at most; a project that drops out costs one creation without a hint. */
const MAX_ROUTES = 50_000;

function poolRoutes() {
  const routes = new Map<string, PoolRoute>();
  return {
    find: (invoice: NewInvoice): PoolRoute | null => routes.get(routeKey(invoice)) ?? null,
    /** The statement tells the truth every time, so that a route that a new wallet made stale serves once at most. */
    remember: (invoice: NewInvoice, { wallet_pool_id: poolId, is_owner }: CreationRow): void => {
      if (poolId === null) return;
      if (routes.size >= MAX_ROUTES) routes.clear();
      routes.set(routeKey(invoice), { poolId, isOwner: is_owner === true });
    },
  };
}

function routeKey({ projectId, currency }: NewInvoice): string {
  return `${currency}${projectId}`;
}
