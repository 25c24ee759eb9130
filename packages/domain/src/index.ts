export * from './invoices/payment-facts.ts';
export * from './invoices/invoice-status.ts';
export { AppError, problemBody, type AppErrorOptions } from './requests/app-error.ts';
export { ERROR_CODES, errorStatus, type ErrorCode, type ErrorCodeEntry } from './requests/error-codes.ts';
export * from './invoices/invoice-amounts.ts';
export * from './invoices/invoice-view.ts';
export * from './invoices/stream-message.ts';
export { parseBody, parseHeaders, parseParams, parseQuery } from './requests/parse-request.ts';
export { type Checked, type InputProblem } from './values/checked.ts';
export {
  CHAINS,
  type ChainParams,
  CURRENCIES,
  type Currency,
  NETWORKS,
  type Network,
  networkOfGenesis,
  type NetworkParams,
  NODE_CHAIN_NAMES,
  SCRIPT_TYPES,
  type ScriptType,
} from './chain/chains.ts';
export { type AmountProblemCode, formatCoins, parseAmount, parseCoins } from './values/money.ts';
export { type PaymentRequest, paymentUri } from './chain/payment-uri.ts';
export { type PublicIdPrefix, isPublicId, publicId } from './values/base58-id.ts';
export {
  type WalletKey,
  type WalletKeyField,
  type WalletKeyInput,
  type WalletKeyProblemCode,
  fieldOfWalletKeyProblem,
  parseWalletKey,
} from './keys/wallet-key.ts';
export {
  type AddressMatch,
  type ReceiveAddress,
  type ReceiveKey,
  deriveReceiveAddress,
  deriveReceiveAddresses,
  findAddress,
} from './keys/receive-address.ts';
export { type AddressProblemCode, addressToScript, scriptToAddress } from './chain/address.ts';
export { doubleSha256 } from './chain/hashes.ts';
export { bytesFromHex } from './chain/byte-reader.ts';
export { ParseError } from './chain/parse-error.ts';
export {
  type ParsedTransaction,
  type SpentOutpoint,
  type TransactionOutput,
  type TransactionProbe,
  parseTransaction,
} from './chain/transaction.ts';
export { type ParsedBlock, parseBlock } from './chain/block.ts';
export { HEADER_BYTES, type ParsedBlockHeader, parseBlockHeader } from './chain/block-header.ts';
export { type HeaderRules, headerRulesOf } from './chain/headers/consensus-rules.ts';
export { type ChainedHeader, lowestNeeded } from './chain/headers/difficulty.ts';
export { findBlockFault, findHeaderFault } from './chain/headers/header-validation.ts';
export { meetsTarget, workOfBits } from './chain/headers/proof-of-work.ts';
export * from './invoices/confirmation-tiers.ts';
export * from './invoices/first-seen.ts';
export * from './invoices/lease-attribution.ts';
export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from './contract/openapi.ts';
export * from './pools/address-classes.ts';
export * from './requests/client-spread.ts';
export * from './pools/pool-health.ts';
export * from './pools/refill-plan.ts';
export * from './chain/chain-diff.ts';
export * from './webhooks/retry-plan.ts';
export * from './webhooks/webhook-event.ts';
export * from './webhooks/webhook-signature.ts';
export * from './webhooks/webhook-target.ts';
export { type InvoiceTerms } from './invoices/possible-statuses.ts';
export { type ReconciledLease } from './invoices/possible-owners.ts';
export {
  type ChainOutput,
  type Difference,
  type DifferenceKind,
  reconcileInvoice,
  type ReconciliationCase,
  type RecordedOutput,
} from './invoices/reconcile-invoice.ts';
