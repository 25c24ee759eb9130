export * from './payment-facts.ts';
export * from './invoice-status.ts';
export { AppError, problemBody, type AppErrorOptions } from './app-error.ts';
export { ERROR_CODES, errorStatus, type ErrorCode, type ErrorCodeEntry } from './error-codes.ts';
export * from './invoice-amounts.ts';
export * from './invoice-view.ts';
export * from './stream-message.ts';
export { parseBody, parseHeaders, parseParams, parseQuery } from './parse-request.ts';
export { type Checked, type InputProblem } from './checked.ts';
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
} from './chains.ts';
export { type AmountProblemCode, formatCoins, parseAmount, parseCoins } from './money.ts';
export { type PaymentRequest, paymentUri } from './payment-uri.ts';
export { type PublicIdPrefix, isPublicId, publicId } from './base58-id.ts';
export {
  type WalletKey,
  type WalletKeyField,
  type WalletKeyInput,
  type WalletKeyProblemCode,
  fieldOfWalletKeyProblem,
  parseWalletKey,
} from './wallet-key.ts';
export {
  type AddressMatch,
  type ReceiveAddress,
  type ReceiveKey,
  deriveReceiveAddress,
  deriveReceiveAddresses,
  findAddress,
} from './receive-address.ts';
export { type AddressProblemCode, addressToScript, scriptToAddress } from './address.ts';
export { doubleSha256 } from './hashes.ts';
export { bytesFromHex } from './byte-reader.ts';
export { ParseError } from './parse-error.ts';
export {
  type ParsedTransaction,
  type SpentOutpoint,
  type TransactionOutput,
  type TransactionProbe,
  parseTransaction,
} from './transaction.ts';
export { type ParsedBlock, parseBlock } from './block.ts';
export { HEADER_BYTES, type ParsedBlockHeader, parseBlockHeader } from './block-header.ts';
export { type HeaderRules, headerRulesOf } from './consensus-rules.ts';
export { type ChainedHeader, lowestNeeded } from './difficulty.ts';
export { findBlockFault, findHeaderFault } from './header-validation.ts';
export { meetsTarget, workOfBits } from './proof-of-work.ts';
export * from './confirmation-tiers.ts';
export * from './first-seen.ts';
export * from './lease-attribution.ts';
export { openApiDocument, type OpenApiDocument, type OpenApiOptions } from './contract/openapi.ts';
export * from './address-classes.ts';
export * from './client-spread.ts';
export * from './pool-health.ts';
export * from './refill-plan.ts';
export * from './chain-diff.ts';
export * from './retry-plan.ts';
export * from './webhook-event.ts';
export * from './webhook-signature.ts';
export * from './webhook-target.ts';
export { type InvoiceTerms } from './possible-statuses.ts';
export { type ReconciledLease } from './possible-owners.ts';
export {
  type ChainOutput,
  type Difference,
  type DifferenceKind,
  reconcileInvoice,
  type ReconciliationCase,
  type RecordedOutput,
} from './reconcile-invoice.ts';
