export {
  type ConfirmationPolicy,
  confirmationsRequired,
  parseConfirmationPolicy,
} from './confirmation-tiers.ts';
export { PEG_OUT_HEAD_START_MS, firstSeen, inheritFirstSeen } from './first-seen.ts';
export { invoiceAmounts, paymentState } from './invoice-amounts.ts';
export {
  type Decision,
  type InvoiceFacts,
  type StatusStep,
  decideInvoiceStatus,
  isOpen,
  openUntil,
} from './invoice-status.ts';
export {
  type InvoiceSnapshot,
  type LockedPrice,
  type OrderDetails,
  type PaymentSnapshot,
  buildOwnerView,
  buildPublicView,
  payUrl,
  publicBranding,
  timestamp,
} from './invoice-view.ts';
export { attributePayment, isOlderThanLease } from './lease-attribution.ts';
export { isConfirmed, outpointOf } from './payment-facts.ts';
export { type ReconciledLease } from './possible-owners.ts';
export { type InvoiceTerms } from './possible-statuses.ts';
export {
  type ChainOutput,
  type Difference,
  type RecordedOutput,
  reconcileInvoice,
} from './reconcile-invoice.ts';
export { messageText } from './stream-message.ts';
