export { deleteIdlePools } from './idle-pools.ts';
export {
  type PoolFigures,
  type PoolHealthChange,
  checkPoolHealth,
  findPoolsToCheck,
  readPoolFigures,
} from './pool-health.ts';
export {
  type UnscannedAddress,
  findPoolsWithoutHistory,
  loadUnscannedAddresses,
  markHistoryPending,
  skipHistories,
  storeHistories,
} from './pool-histories.ts';
export { type PoolInspection, inspectPools } from './pool-inspection.ts';
export {
  type PromotableAddress,
  findPromotable,
  listenForPromotions,
  promoteDerived,
  retireDerived,
} from './pool-promotions.ts';
export {
  type PoolToRefill,
  addPoolAddresses,
  findPoolToExtend,
  findPoolToRefill,
  findPoolsToRefill,
  listFreshIndexes,
  listenForRefills,
} from './pool-refills.ts';
export { returnUnpaidAddresses } from './pool-returns.ts';
export { type PoolAddressRef, advanceLastUsed, lockAddresses, retirePaidAddresses } from './pool-usage.ts';
export {
  POOLS_CHANNEL,
  loadPoolStates,
  releaseLeases,
  requestRefill,
  secondsUntilNextAddress,
} from './pools.ts';
export { type GapLimitChange, changeGapLimit } from './gap-limit.ts';
export { type Wallet, findPoolIndex, findServingWallet, findWallet } from './wallets/wallets.ts';
export { registerWallet } from './wallets/register-wallet.ts';
export { verifyWallet } from './wallets/verify-wallet.ts';
export { applyDueWalletChanges } from './wallets/apply-changes.ts';
export { type CancelledWallet, cancelWalletChange } from './wallets/cancel-changes.ts';
export { changeWalletDelay } from './wallets/wallet-delay.ts';
