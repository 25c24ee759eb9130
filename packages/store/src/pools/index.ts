export { deleteIdlePools } from './idle-pools.ts';
export { type PoolHealthChange, checkPoolHealth, findPoolsToCheck, readPoolFigures } from './pool-health.ts';
export {
  type UnaskedAddress,
  findPoolsWithoutHistory,
  loadUnaskedAddresses,
  noteHistoryWanted,
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
export {
  type GapLimitChange,
  type Wallet,
  changeGapLimit,
  findPoolIndex,
  findServingWallet,
  findWallet,
  registerWallet,
  verifyWallet,
} from './wallets.ts';
