export { type AddressClass, type Lessee, classOf, classesFor } from './address-classes.ts';
export { type PoolHealth, decidePoolHealth } from './pool-health.ts';
export { isDerived, isNeededNow, planBatch } from './refill-plan.ts';
export {
  type WalletDelays,
  waitOfDelayChange,
  waitOfWalletChange,
  walletDelaySeconds,
} from './wallet-delay.ts';
