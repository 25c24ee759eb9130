import type { WalletStateView } from '@paywatch/domain/contract';

/** Whether invoices will find an address: plenty, few, none, or none yet since the wallet is new. */
export type GapHealth = 'good' | 'low' | 'dry' | 'preparing';

/** A pool is low below a fifth of what its gap limit lets it hold. */
const LOW_SHARE = 5;

/** Judges the address pool of a wallet. Pure. */
export function gapHealth({
  addresses,
  gap_limit: gapLimit,
}: Pick<WalletStateView, 'addresses' | 'gap_limit'>): GapHealth {
  const { free, leased, quarantined } = addresses;
  if (free + leased + quarantined === 0) return 'preparing';
  if (free === 0) return 'dry';
  return free * LOW_SHARE < gapLimit ? 'low' : 'good';
}
