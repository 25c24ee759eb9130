import type { InvoiceType } from '@paywatch/domain/contract';
import type { LockedPrice, OrderDetails } from '@paywatch/domain/invoices';
import type { Currency } from '@paywatch/domain/values';
import type { PieceRefusal } from '../payment-links/pieces.ts';
import type { SnapshotSettings, StoredSnapshot } from './invoice-snapshots.ts';

/** Who creates the invoice; the creating statement checks it. */
export type InvoiceCreator =
  | { kind: 'api_key'; apiKeyId: bigint }
  | { kind: 'session'; tokenHash: string }
  | { kind: 'donation_link'; donateToken: string; donor?: Donor }
  /** A buyer by a payment link, with the same limits as a donor. */
  | { kind: 'payment_link'; linkId: bigint; token: string; donor: Donor }
  /** The operator's own project, which sells to another one; `buyerNetwork` has the form of `Donor.network`. */
  | { kind: 'operator'; buyerNetwork?: Uint8Array };

/** The donor or buyer of an invoice, for the share of one network and, for donors, the proof of work. */
export type Donor = {
  /**
   * Two keyed hashes of eight bytes: of the site that contains the network, and of the network. The addresses themselves are
   * not stored.
   */
  network: Uint8Array;
  /**
   * A solution that is checked except for an earlier use; null if there is none. `extraBits`: how many bits harder than the
   * minimum it is.
   */
  proof: { id: Uint8Array; expiresAtMs: number; extraBits: number } | null;
};

/** An invoice to create. Amounts in minimal units. */
export type NewInvoice = {
  projectId: bigint;
  creator: InvoiceCreator;
  type: InvoiceType;
  currency: Currency;
  expectedAmount: bigint | null;
  /** What the amount was computed from; absent if it was not. */
  price?: LockedPrice;
  /**
   * Answers a repeat, and what the owner must change, but creates nothing: for a request that has no rate. Everything else is
   * `not_repeated`.
   */
  isReplayOnly?: true;
  confirmationsRequired: number;
  orderId: string | null;
  donorName: string | null;
  donorMessage: string | null;
  returnUrl: string | null;
  /** What the payment page shows about an order; absent without such details. */
  details?: OrderDetails;
  ttlSeconds: number;
  /**
   * SHA-256 of the request, to distinguish a repeat from another request with the same order_id or key; null if it cannot be
   * repeated.
   */
  requestHash: Uint8Array | null;
  idempotencyKey: string | null;
  /** The id of the request in the log; absent if there is none. */
  requestId?: string;
};

export type CreationSettings = SnapshotSettings & {
  /** How long an address stays in quarantine before another invoice may lease it. */
  quarantineSeconds: number;
};

/** The result: a new invoice, the existing one of the order_id or key, or the reason for a refusal. */
export type CreationOutcome =
  | { kind: 'created'; invoice: StoredSnapshot }
  | { kind: 'repeated'; invoice: StoredSnapshot; isSameRequest: boolean }
  | { kind: 'idempotency_conflict' | 'unauthorized' | 'subscription_inactive' | 'wallet_not_verified' }
  | { kind: 'proof_of_work_required' | 'not_repeated' | PieceRefusal }
  | { kind: 'address_pool_busy' | 'network_share_used'; retryAfterSeconds: number | null };

/** As which type an invoice leases its address. A payment link is public, so its orders share the half of a pool with donations. */
export function leasesAs({ type, creator }: Pick<NewInvoice, 'type' | 'creator'>): InvoiceType {
  return creator.kind === 'payment_link' ? 'donation' : type;
}

/** Creates invoices; made once in each process. */
export type CreateInvoice = (invoice: NewInvoice) => Promise<CreationOutcome>;
