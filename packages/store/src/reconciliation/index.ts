export {
  type ReadOutput,
  type ReconciledView,
  type StoredCase,
  listStagedInvoices,
  loadReconciledView,
  loadReconciliationCases,
  stageOutputs,
} from './reconciliation-cases.ts';
export {
  type FoundDifference,
  type ReportedDifference,
  listDifferences,
  saveComparison,
} from './reconciliation-results.ts';
export {
  type Reconciliation,
  beginReconciliation,
  endReconciliation,
  extendReconciliation,
  failReconciliation,
  loadReconciliation,
  markBlockReconciled,
  releaseReconciliation,
  requestReconciliation,
  rewindReconciliation,
  scheduleReconciliation,
  skipUnreadableBlocks,
  stageInvoices,
  claimReconciliation,
} from './reconciliations.ts';
