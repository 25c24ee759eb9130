import { buildOwnerView, type InvoiceSnapshot, type PaymentSnapshot } from '@paywatch/domain/invoices';
import type { EventType, InvoiceStatus, InvoiceView, PaymentView } from '@paywatch/domain/contract';

/** An invoice as an event of some type would describe it. */
export type TestInvoice = { invoice: InvoiceView; previousStatus: InvoiceStatus; payments: PaymentView[] };

type Outcome = { status: InvoiceStatus; previousStatus: InvoiceStatus; paid: bigint; isLate: boolean };

const EXPECTED = 150_000n;
const OUTCOMES: Readonly<Record<EventType, Outcome>> = {
  'invoice.confirmed': { status: 'confirmed', previousStatus: 'pending', paid: EXPECTED, isLate: false },
  'invoice.underpaid': { status: 'underpaid', previousStatus: 'pending', paid: EXPECTED / 2n, isLate: false },
  'invoice.expired': { status: 'expired', previousStatus: 'new', paid: 0n, isLate: false },
  'invoice.late_payment': { status: 'late_payment', previousStatus: 'expired', paid: EXPECTED, isLate: true },
};

const HOUR_MS = 3_600_000;
const TIP_HEIGHT = 900_000;

/** Builds the invoice of a test event with the code that builds real ones, so that both have the same form. Pure. */
export function testInvoice(
  type: EventType,
  publicId: string,
  publicUrl: string,
  nowMs: number,
): TestInvoice {
  const outcome = OUTCOMES[type];
  const invoice = buildOwnerView(snapshotOf(outcome, publicId, publicUrl, nowMs));
  return { invoice, previousStatus: outcome.previousStatus, payments: invoice.payments };
}

function snapshotOf(outcome: Outcome, publicId: string, publicUrl: string, nowMs: number): InvoiceSnapshot {
  const expiresAtMs = nowMs - HOUR_MS;
  return {
    publicId,
    publicUrl,
    type: 'order',
    status: outcome.status,
    currency: 'BTC',
    network: 'mainnet',
    // The first test vector of BIP 84. Its private key is public, so nobody mistakes the address for their own.
    address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    addressIndex: 1,
    isAddressReused: false,
    expectedAmount: EXPECTED,
    price: null,
    fiatRate: null,
    confirmationsRequired: 1,
    toleranceBps: 0,
    orderId: 'test-order',
    donorName: null,
    donorMessage: null,
    returnUrl: null,
    details: null,
    isReversed: false,
    createdAtMs: expiresAtMs - HOUR_MS,
    expiresAtMs,
    deadlineMs: expiresAtMs,
    isExtended: false,
    ttlSeconds: HOUR_MS / 1000,
    version: 3,
    payments: outcome.paid === 0n ? [] : [paymentOf(outcome, expiresAtMs)],
    tipHeight: TIP_HEIGHT,
    nowMs,
    projectName: null,
    branding: {},
    explorerUrl: null,
    isChainDelayed: false,
    donateUrl: null,
    linkUrl: null,
  };
}

function paymentOf({ paid, isLate }: Outcome, deadlineMs: number): PaymentSnapshot {
  return {
    txid: '0'.repeat(63) + '1',
    vout: 0,
    amount: paid,
    firstSeenMs: isLate ? deadlineMs + 60_000 : deadlineMs - 60_000,
    blockHeight: TIP_HEIGHT,
    blockHash: '0'.repeat(63) + '2',
    isVoid: false,
  };
}

/** The invoice id in a test event: no invoice is stored, so it is derived from the id of the event. */
export function testInvoiceId(eventId: string): string {
  return `inv_${eventId.slice('evt_'.length)}`;
}
