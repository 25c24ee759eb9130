export {
  CREATE_INVOICE_STATEMENT,
  type CreateInvoice,
  type CreationOutcome,
  type CreationSettings,
  type InvoiceCreator,
  type NewInvoice,
  invoiceCreation,
} from './invoice-creation.ts';
export {
  type SnapshotSettings,
  type StoredSnapshot,
  loadProjectSnapshot,
  loadSnapshotsById,
  loadSnapshotsByPublicId,
} from './invoice-snapshots.ts';
export { type DonationLink, extendInvoice, findDonationLink, loadInvoiceVersions } from './invoices.ts';
export { ANY_INVOICE, type InvoiceFilter, hasInvoice, listInvoices } from './list-invoices.ts';
export { type OrderImport, type OrderRefusal, type OrderToImport, importOrders } from './order-import.ts';
export {
  type DescribedFault,
  type ParkedInvoice,
  describeFault,
  forInvoice,
  listParkedInvoices,
  mayBelongToInvoice,
  parkInvoice,
  retryParkedInvoices,
  unparkInvoices,
} from './parked-invoices.ts';
export {
  type InvoiceChange,
  type QueuedInvoice,
  type UnsettledInvoice,
  type UnsettledPayment,
  findDecision,
  lockInvoices,
  lockUnsettledInvoices,
  markCounted,
  queueDecisionAgain,
  queueDecisions,
  resumeDeadlines,
  takeDueDecisions,
  takePastDeadline,
  takeUnshown,
  transactionTime,
  updateInvoices,
} from './settlement.ts';
