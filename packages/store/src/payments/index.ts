export {
  type Agreement,
  type OpenAgreement,
  askForAgreement,
  loadAgreements,
  reconsiderUnagreed,
  recordAgreement,
  claimOpenAgreements,
} from './agreements.ts';
export { findDescendants, voidDescendants } from './descendants.ts';
export { type MatchFilter, currentFilter, mayBeSpent } from './match-filter.ts';
export {
  type HolderTerms,
  type NewPayment,
  type RecordedPayment,
  type ScriptAddress,
  type ScriptLease,
  assertSameLeases,
  findDerivedScripts,
  findPaidInvoices,
  loadHolderTerms,
  loadLostPegOuts,
  loadRecordedPayments,
  loadScriptAddresses,
  loadScriptLeases,
  lockUnheldAddresses,
  upsertPayments,
} from './payments.ts';
export {
  type FirstRecord,
  type Place,
  type SeenTransaction,
  type Sighted,
  type Spender,
  findSpenders,
  insertInputs,
  loadFirstRecords,
  loadUnsettledTransactions,
  markAbsent,
  markReturned,
  upsertTransactions,
  voidLongAbsent,
  voidConflicting,
} from './transactions.ts';
export {
  type UnassignedPayment,
  findUnassignedPosition,
  listUnassignedPayments,
} from './unassigned-payments.ts';
