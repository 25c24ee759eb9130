import type { InvoiceType } from '@paywatch/domain/contract';
import { classesFor } from '@paywatch/domain/pools';
import type { Currency } from '@paywatch/domain/values';
import { randomBase58, randomFraction } from '@paywatch/runtime/security';
import { readFileSync } from 'node:fs';
import { inTransaction, violatedConstraint, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { secondsUntilShareFrees } from '../donations/donation-capacity.ts';
import { dropHint, hintStocks, hintsToTake, type HintStock } from './hint-stocks.ts';
import {
  GRACE_SECONDS,
  loadSnapshotsById,
  STALE_AFTER_SECONDS,
  toSnapshot,
  type SnapshotRow,
  type SnapshotSettings,
  type StoredSnapshot,
} from './invoice-snapshots.ts';
import { requestRefill, secondsUntilNextAddress } from '../pools/pools.ts';
import { STATS_SHARDS } from '../stats/project-stats.ts';
import { dropLeasedHint, takeLeaseHints } from '../redis/free-addresses.ts';
import type { Store } from '../store.ts';

/** On whose authority an invoice is created; checked by the statement that creates it. */
export type InvoiceCreator =
  | { kind: 'api_key'; apiKeyId: bigint }
  | { kind: 'session'; tokenHash: string }
  | { kind: 'donation_link'; donateToken: string; donor?: Donor }
  /** The operator's own project sells to another one, whose network is named as a donor's is. */
  | { kind: 'operator'; buyerNetwork?: Uint8Array };

/** Who donates or buys: bounds what one network may hold, and asks donors for a proof of work where few addresses are left. */
type Donor = {
  /** Keyed hashes of eight bytes each, of the site that the network is a part of and of itself: what they were made from is kept nowhere. */
  network: Uint8Array;
  /**
   * A solution that was checked already, except for having been used before; null where there is none. `extraBits`: how many bits
   * harder than the least difficulty it is.
   */
  proof: { id: Uint8Array; expiresAtMs: number; extraBits: number } | null;
};

/** Bytes of `Donor.network` that are the same for all networks of a site. */
const SITE_BYTES = 8;

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
  /** What the log calls the request; absent where none asked. */
  requestId?: string;
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
  | { kind: 'proof_of_work_required' }
  | { kind: 'address_pool_busy' | 'network_share_used'; retryAfterSeconds: number | null };

/** Creates invoices; made once for each process. */
export type CreateInvoice = (invoice: NewInvoice) => Promise<CreationOutcome>;

/** Only a request that others run into again and again needs more than two. */
const MAX_TRIES = 10;

/** What the owner of a pool may lease, and what a guest: arrays as Postgres writes them. */
const CLASSES = { order: classArrays('order'), donation: classArrays('donation') };

function classArrays(invoiceType: InvoiceType): string[] {
  return [true, false].map((isOwner) => `{${classesFor({ invoiceType, isOwner }).join()}}`);
}

/** The one statement that creates an invoice; its contract stands on top of it. Exported for benchmarks. */
export const CREATE_INVOICE_STATEMENT = readFileSync(
  new URL('./create-invoice.sql', import.meta.url),
  'utf8',
);

/**
 * Makes the function that creates invoices: one Postgres statement, and what Redis has to know and to name for the next ones
 * after it, which nobody waits for. It is exact under any concurrency: an address has one open invoice, an order_id and a key
 * one. `onRefillError` hears why a refill of addresses could not be asked for, which no creation fails for.
 */
export function invoiceCreation(
  store: Store,
  settings: CreationSettings,
  onRefillError: (error: unknown) => void = () => undefined,
): CreateInvoice {
  const stocks = hintStocks();
  const followUp = leaseFollowUp(store, onRefillError);
  return async (invoice) => {
    const held = stocks.find(invoice);
    const hint = held?.indexes.shift() ?? null;
    const row = await executeInTurn(store, settings, invoice, held?.poolId ?? null, hint);
    // The statement tells the truth every time, so that a stock that a new wallet made stale serves once at most.
    const stock = row.wallet_pool_id && stocks.open(invoice, row.wallet_pool_id, row.is_owner === true);
    if (row.id !== null) {
      if (stock) followUp(invoice, stock, row, hint);
      return { kind: 'created', invoice: toSnapshot(snapshotRowOf(invoice, row), settings) };
    }
    const refusal = await refusalOf(store, settings, invoice, row);
    // Nobody has looked at the hint, unless it held no more.
    if (hint !== null && refusal.kind !== 'address_pool_busy') held?.indexes.unshift(hint);
    return refusal;
  };
}

type FollowUp = (invoice: NewInvoice, stock: HintStock, leased: NewRow, hintedIndex: number | null) => void;

/** What a lease leaves to do in Redis, and nobody waits for: its hint is dropped, and hints are taken where few are left. */
function leaseFollowUp(store: Store, onRefillError: (error: unknown) => void): FollowUp {
  return ({ type }, stock, { address_index: index }, hintedIndex) => {
    if (index !== hintedIndex) {
      dropHint(stock, index);
      void dropLeasedHint(store, stock.poolId, index);
    }
    const count = hintsToTake(stock, hintedIndex);
    if (count > 0) void takeHints(store, type, stock, count).catch(onRefillError);
  };
}

/** Asks for a refill where the pool wants one; the watchers find such pools by themselves, too. */
async function takeHints(
  store: Store,
  invoiceType: InvoiceType,
  stock: HintStock,
  count: number,
): Promise<void> {
  const lessee = { invoiceType, isOwner: stock.isOwner };
  stock.isTaking = true;
  const { indexes, wantsRefill } = await takeLeaseHints(store, stock.poolId, lessee, count);
  stock.indexes.push(...indexes);
  stock.isTaking = false;
  if (wantsRefill) await requestRefill(store.sql, stock.poolId);
}

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
  used_share: Buffer | null;
  is_proof_missing: boolean;
} & (NewRow | { id: null });

/** What the statement alone knows of the new invoice; the rest is as it was asked for. */
type NewRow = Pick<
  SnapshotRow,
  | 'id'
  | 'public_id'
  | 'address_index'
  | 'address'
  | 'address_reused'
  | 'created_at'
  | 'expires_at'
  | 'deadline_at'
  | 'project_name'
  | 'tip_height'
  | 'chain_delayed'
> & { script: Buffer };

/**
 * Runs the statement until its answer holds. A refusal of a named request is looked at twice: the first look may have
 * seen the database as it was before a request of the same name ended, and so neither its invoice nor a free address.
 */
async function executeInTurn(
  store: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  hintedPoolId: bigint | null,
  hintedIndex: number | null,
): Promise<CreationRow> {
  const isNamed = invoice.orderId !== null || invoice.idempotencyKey !== null;
  for (let tries = 1; ; tries += 1) {
    try {
      const row = await execute(store, settings, invoice, hintedPoolId, hintedIndex);
      const isFound = row.id !== null || row.repeats_order !== null || row.repeats_key !== null;
      const isSecondLook = tries > 1 && !row.has_waited;
      if (isFound || isSecondLook || !isNamed || tries === MAX_TRIES) return row;
    } catch (error) {
      // The same script or name was taken in this moment; the next try sees by whom.
      if (violatedConstraint(error) === null || tries === MAX_TRIES) throw error;
    }
  }
}

/**
 * Donors of one site take turns, and so do those with one proof: locks are held before the statement begins, which so counts
 * everything that the site holds, and sees whether the proof was used.
 */
async function execute(
  store: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  hintedPoolId: bigint | null,
  hintedIndex: number | null,
): Promise<CreationRow> {
  const donor = donorOf(invoice);
  if (donor === null) return executeStatement(store.sql, settings, invoice, hintedPoolId, hintedIndex);
  return inTransaction(store, async (tx) => {
    // A statement of its own: the next one sees all that was committed until the locks were granted.
    await lockDonor(tx, donor);
    return executeStatement(tx, settings, invoice, hintedPoolId, hintedIndex);
  });
}

/** In this order everywhere, so that nobody waits in a circle. */
async function lockDonor(tx: TransactionSql, { network, proof }: Donor): Promise<void> {
  const id = proof === null ? null : Buffer.from(proof.id);
  const site = Buffer.from(network.subarray(0, SITE_BYTES));
  await tx`
    select pg_advisory_xact_lock(hashtextextended('donor ' || encode(${site}, 'hex'), 0)),
      pg_advisory_xact_lock(hashtextextended('proof ' || encode(${id}::bytea, 'hex'), 0))`;
}

async function executeStatement(
  sql: AnySql,
  settings: CreationSettings,
  invoice: NewInvoice,
  hintedPoolId: bigint | null,
  hintedIndex: number | null,
): Promise<CreationRow> {
  const { creator } = invoice;
  const donor = donorOf(invoice);
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
      ...CLASSES[invoice.type],
      hintedPoolId,
      hintedIndex,
      settings.quarantineSeconds,
      Math.floor(randomFraction() * STATS_SHARDS),
      STALE_AFTER_SECONDS,
      invoice.requestId ?? null,
      donor && Buffer.from(donor.network),
      donor?.proof ? Buffer.from(donor.proof.id) : null,
      donor?.proof ? new Date(donor.proof.expiresAtMs) : null,
      donor?.proof ? donor.proof.extraBits : null,
    ],
    { prepare: true },
  );
  if (!row) throw new Error('the statement always answers one row');
  return row;
}

/** A new invoice as it would be read. */
function snapshotRowOf(invoice: NewInvoice, row: NewRow): SnapshotRow {
  return {
    ...row,
    project_id: invoice.projectId,
    type: invoice.type,
    status: 'new',
    currency: invoice.currency,
    expected_amount: invoice.expectedAmount,
    confirmations_required: invoice.confirmationsRequired,
    order_id: invoice.orderId,
    donor_name: invoice.donorName,
    donor_message: invoice.donorMessage,
    return_url: invoice.returnUrl,
    ttl_seconds: invoice.ttlSeconds,
    extended: false,
    reversed: false,
    shown_at: invoice.creator.kind === 'donation_link' ? null : row.created_at,
    donate_token: invoice.creator.kind === 'donation_link' ? invoice.creator.donateToken : null,
    version: 1,
    read_at: row.created_at,
    payments: [],
  };
}

function donorOf({ creator }: NewInvoice): Donor | null {
  if (creator.kind === 'donation_link') return creator.donor ?? null;
  const network = creator.kind === 'operator' ? creator.buyerNetwork : undefined;
  return network === undefined ? null : { network, proof: null };
}

/** What Postgres looks the creator up by, where it is not the id of a key. */
function secretOf(creator: InvoiceCreator): string | null {
  if (creator.kind === 'donation_link') return creator.donateToken;
  return creator.kind === 'session' ? creator.tokenHash : null;
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
  if (row.used_share !== null) {
    const share = { projectId, poolId: row.wallet_pool_id, holder: row.used_share, ...settings };
    return { kind: 'network_share_used', retryAfterSeconds: await secondsUntilShareFrees(store.sql, share) };
  }
  if (row.is_proof_missing) return { kind: 'proof_of_work_required' };
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
