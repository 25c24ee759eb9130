import type { WalletStateView } from '@paywatch/domain/contract';

/** The state of an address pool: enough free addresses, few, none, or none derived yet. */
export type GapHealth = 'good' | 'low' | 'dry' | 'preparing';

/** A pool is low when fewer than a fifth of the gap limit are free. */
const LOW_DIVISOR = 5;

/** Decides the state of a wallet's address pool. Pure. */
export function gapHealth({
  addresses,
  gap_limit: gapLimit,
}: Pick<WalletStateView, 'addresses' | 'gap_limit'>): GapHealth {
  const { free, leased, quarantined } = addresses;
  if (free + leased + quarantined === 0) return 'preparing';
  if (free === 0) return 'dry';
  return free * LOW_DIVISOR < gapLimit ? 'low' : 'good';
}
