export { CREATE_INVOICE_STATEMENT, invoiceCreation } from './create-invoice.ts';
export {
  type CreateInvoice,
  type CreationOutcome,
  type CreationSettings,
  type InvoiceCreator,
  type NewInvoice,
} from './new-invoice.ts';
export {
  type SnapshotSettings,
  type StoredSnapshot,
  loadProjectSnapshot,
  loadSnapshotsById,
  loadSnapshotsByPublicId,
} from './invoice-snapshots.ts';
export { type DonationLink, extendInvoice, findDonationLink, loadInvoiceVersions } from './invoices.ts';
export {
  ANY_INVOICE,
  type InvoiceFilter,
  type InvoicePage,
  hasInvoice,
  listInvoices,
} from './list-invoices.ts';
export {
  type FoundInvoices,
  type InvoiceSearch,
  SEARCHED_AT_ONCE,
  searchInvoices,
} from './search-invoices.ts';
export { type OrderImport, type OrderRefusal, type OrderToImport } from './imports/imported-orders.ts';
export { importOrders } from './imports/import-orders.ts';
export {
  type DescribedFault,
  type ParkedInvoice,
  countParkedInvoices,
  describeFault,
  forInvoice,
  findInvoiceId,
  listParkedInvoices,
  mayBelongToInvoice,
  parkInvoice,
  retryAllParkedInvoices,
  retryParkedInvoice,
  unparkInvoices,
} from './parked-invoices.ts';
export { type FiatRate, type InvoiceRate, findConfirmationRates } from './confirmation-rates.ts';
export {
  type InvoiceChange,
  type UnsettledInvoice,
  type UnsettledPayment,
  lockInvoices,
  lockUnsettledInvoices,
  markCounted,
  transactionTime,
  updateInvoices,
} from './settlement.ts';
export {
  type QueuedInvoice,
  findDecision,
  queueDecisionAgain,
  queueDecisions,
  claimDueDecisions,
} from './due-decisions.ts';
export { recheckDeadlines, claimPastDeadline, claimUnshownDonations } from './deadlines.ts';
