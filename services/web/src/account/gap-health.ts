import type { WalletStateView } from '@paywatch/domain/contract';

/** Whether invoices will find an address: plenty, few, or none. */
export type GapHealth = 'good' | 'low' | 'dry';

/** A pool is low below a fifth of what its gap limit lets it hold. */
const LOW_SHARE = 5;

/** Judges the address pool of a wallet. Pure. */
export function gapHealth({
  addresses,
  gap_limit: gapLimit,
}: Pick<WalletStateView, 'addresses' | 'gap_limit'>): GapHealth {
  if (addresses.free === 0) return 'dry';
  return addresses.free * LOW_SHARE < gapLimit ? 'low' : 'good';
}
