import type { Network } from '@paywatch/domain/chain';

/** Where the payers of a benchmark would reach it. */
export const PUBLIC_URL = 'https://pay.example';

/** What snapshots take from the configuration, for those who measure the store without a service: as `startBenchApi` has it. */
export function snapshotSettings(network: Network) {
  return {
    publicUrl: PUBLIC_URL,
    toleranceBps: 0,
    networks: { BTC: network, LTC: network },
    quarantineSeconds: 3600,
  } as const;
}
