import type { InvoiceType } from '@paywatch/domain/contract';
import { classesFor } from '@paywatch/domain/pools';
import { publicId } from '@paywatch/domain/values';
import { randomFraction, secureRandomBytes } from '@paywatch/runtime/security';
import { readFileSync } from 'node:fs';
import { type DonorLimits, readDonorLimits, useProof } from '../donations/donor-limits.ts';
import { holdPiece, lockPiece, type PieceRefusal } from '../payment-links/pieces.ts';
import { type AnySql, inTransaction, violatedConstraint } from '../postgres/database.ts';
import { STATS_SHARDS } from '../stats/project-stats.ts';
import type { Store } from '../store.ts';
import { refusalOf } from './creation-refusal.ts';
import { createHintCaches } from './hint-caches.ts';
import { GRACE_SECONDS, STALE_AFTER_SECONDS, type SnapshotRow, toSnapshot } from './invoice-snapshots.ts';
import { leaseFollowUp } from './lease-follow-up.ts';
import {
  leasesAs,
  type CreateInvoice,
  type CreationSettings,
  type Donor,
  type InvoiceCreator,
  type NewInvoice,
} from './new-invoice.ts';

/** More than two tries are needed only if other requests interfere again and again. */
const MAX_TRIES = 10;

/** The address classes that the owner of a pool may lease, then those for a guest, as Postgres array literals. */
const CLASSES = { order: classArrays('order'), donation: classArrays('donation') };

function classArrays(invoiceType: InvoiceType): string[] {
  return [true, false].map((isOwner) => `{${classesFor({ invoiceType, isOwner }).join()}}`);
}

/** The statement that creates an invoice; its contract is at the top of the file. Exported for benchmarks. */
export const CREATE_INVOICE_STATEMENT = readFileSync(
  new URL('./create-invoice.sql', import.meta.url),
  'utf8',
);

/**
 * Makes the function that creates invoices: one Postgres statement, followed by updates of the hints in Redis that nobody waits
 * for. It is exact under any concurrency: an address has one open invoice, and so does an order_id or idempotency key.
 * `onRefillError` is called if a refill could not be requested; the creation succeeds all the same.
 */
export function invoiceCreation(
  store: Store,
  settings: CreationSettings,
  onRefillError: (error: unknown) => void = () => undefined,
): CreateInvoice {
  const stocks = createHintCaches();
  const followUp = leaseFollowUp(store, onRefillError);
  return async (invoice) => {
    const held = stocks.find(invoice);
    const hint = invoice.isReplayOnly ? null : (held?.indexes.shift() ?? null);
    const creation = await executeInTurn(store, settings, invoice, held?.poolId ?? null, hint);
    const { row } = creation;
    // Every result names the current pool, so an outdated cache is used once at most after a change of wallet.
    const stock = row.wallet_pool_id && stocks.open(invoice, row.wallet_pool_id, row.is_owner === true);
    if (row.id !== null) {
      if (stock) followUp(invoice, stock, row, hint);
      return { kind: 'created', invoice: toSnapshot(snapshotRowOf(invoice, row), settings) };
    }
    const refusal = await refusalOf(store, settings, invoice, creation);
    // The hint was not tried, unless no address was available, so it goes back.
    if (hint !== null && refusal.kind !== 'address_pool_busy') held?.indexes.unshift(hint);
    return refusal;
  };
}

/** The row that the statement returns; create-invoice.sql describes it. */
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
} & (NewRow | { id: null });

/** The row, the limits of the donor or buyer if there is one, and why a payment link sells nothing. */
export type Creation = { row: CreationRow; limits: DonorLimits | null; pieceRefusal: PieceRefusal | null };

/** What only the statement knows about the new invoice; the rest equals the request. */
export type NewRow = Pick<
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
  | 'branding'
  | 'tip_height'
  | 'chain_delayed'
> & { script: Buffer };

/**
 * Runs the statement until its result is final. A refusal of a request with an order_id or key is checked twice: the first
 * snapshot may predate the end of a request with the same name, and so miss its invoice or a free address.
 */
async function executeInTurn(
  store: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  hintedPoolId: bigint | null,
  hintedIndex: number | null,
): Promise<Creation> {
  const isNamed = invoice.orderId !== null || invoice.idempotencyKey !== null;
  for (let tries = 1; ; tries += 1) {
    try {
      const creation = await execute(store, settings, invoice, hintedPoolId, hintedIndex);
      const { row } = creation;
      const isFound = row.id !== null || row.repeats_order !== null || row.repeats_key !== null;
      const isSecondLook = tries > 1 && !row.has_waited;
      if (isFound || isSecondLook || !isNamed || tries === MAX_TRIES) return creation;
    } catch (error) {
      // The same script or name was taken concurrently; the next try sees by whom.
      if (violatedConstraint(error) === null || tries === MAX_TRIES) throw error;
    }
  }
}

/** An order is one statement. A donor or buyer needs a transaction, in which the limits are read first. */
async function execute(
  store: Store,
  settings: CreationSettings,
  invoice: NewInvoice,
  hintedPoolId: bigint | null,
  hintedIndex: number | null,
): Promise<Creation> {
  const donor = donorOf(invoice);
  if (donor === null) {
    const row = await executeStatement(store.sql, settings, invoice, hintedPoolId, hintedIndex, NO_LIMITS);
    return { row, ...NO_LIMITS };
  }
  return inTransaction(store, async (tx) => {
    const limits = await readDonorLimits(tx, invoice, donor, settings.quarantineSeconds);
    const { creator } = invoice;
    const pieceRefusal = creator.kind === 'payment_link' ? await lockPiece(tx, creator) : null;
    const found = { limits, pieceRefusal };
    const row = await executeStatement(tx, settings, invoice, hintedPoolId, hintedIndex, found);
    if (row.id !== null && limits.isScarce && donor.proof !== null) await useProof(tx, donor.proof);
    if (row.id !== null && creator.kind === 'payment_link') await holdPiece(tx, creator.linkId, row.id);
    return { row, ...found };
  });
}

type FoundLimits = Omit<Creation, 'row'>;
const NO_LIMITS: FoundLimits = { limits: null, pieceRefusal: null };

async function executeStatement(
  sql: AnySql,
  settings: CreationSettings,
  invoice: NewInvoice,
  hintedPoolId: bigint | null,
  hintedIndex: number | null,
  found: FoundLimits,
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
      publicId('inv_', secureRandomBytes(16)),
      ...CLASSES[leasesAs(invoice)],
      hintedPoolId,
      hintedIndex,
      settings.quarantineSeconds,
      Math.floor(randomFraction() * STATS_SHARDS),
      STALE_AFTER_SECONDS,
      invoice.requestId ?? null,
      donor && Buffer.from(donor.network),
      isPermitted(invoice, found),
      invoice.price?.amount ?? null,
      invoice.price?.currency ?? null,
      invoice.price?.rate.value ?? null,
      invoice.price ? [...invoice.price.rate.sources] : null,
      invoice.price ? new Date(invoice.price.rate.takenAtMs) : null,
      invoice.details ?? null,
    ],
    { prepare: true },
  );
  if (!row) throw new Error('create-invoice.sql returned no row');
  return row;
}

function isPermitted(invoice: NewInvoice, { limits, pieceRefusal }: FoundLimits): boolean {
  if (invoice.isReplayOnly || pieceRefusal !== null) return false;
  return limits === null || (limits.usedShare === null && !limits.needsProof);
}

/** A new invoice in the form of a stored snapshot. */
function snapshotRowOf(invoice: NewInvoice, row: NewRow): SnapshotRow {
  return {
    ...row,
    project_id: invoice.projectId,
    type: invoice.type,
    status: 'new',
    currency: invoice.currency,
    expected_amount: invoice.expectedAmount,
    price_amount: invoice.price?.amount ?? null,
    price_currency: invoice.price?.currency ?? null,
    rate_value: invoice.price?.rate.value ?? null,
    rate_sources: invoice.price ? [...invoice.price.rate.sources] : null,
    rate_taken_at: invoice.price ? new Date(invoice.price.rate.takenAtMs) : null,
    fiat_currency: null,
    fiat_rate: null,
    confirmations_required: invoice.confirmationsRequired,
    order_id: invoice.orderId,
    donor_name: invoice.donorName,
    donor_message: invoice.donorMessage,
    return_url: invoice.returnUrl,
    details: invoice.details ?? null,
    ttl_seconds: invoice.ttlSeconds,
    extended: false,
    reversed: false,
    shown_at: isPublic(invoice.creator) ? null : row.created_at,
    donate_token: invoice.creator.kind === 'donation_link' ? invoice.creator.donateToken : null,
    link_token: null,
    version: 1,
    read_at: row.created_at,
    payments: [],
  };
}

/** Anybody may create these, so nobody sees their address before somebody looks at them. */
function isPublic({ kind }: InvoiceCreator): boolean {
  return kind === 'donation_link' || kind === 'payment_link';
}

function donorOf({ creator }: NewInvoice): Donor | null {
  if (creator.kind === 'payment_link') return creator.donor;
  if (creator.kind === 'donation_link') return creator.donor ?? null;
  const network = creator.kind === 'operator' ? creator.buyerNetwork : undefined;
  return network === undefined ? null : { network, proof: null };
}

/** The secret by which Postgres finds the creator, if it is not the id of an API key. */
function secretOf(creator: InvoiceCreator): string | null {
  if (creator.kind === 'donation_link') return creator.donateToken;
  if (creator.kind === 'payment_link') return creator.token;
  return creator.kind === 'session' ? creator.tokenHash : null;
}
