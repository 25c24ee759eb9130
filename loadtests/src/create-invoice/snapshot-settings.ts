import type { Network } from '@paywatch/domain/chain';

/** `PUBLIC_URL` of the benchmarks. */
export const PUBLIC_URL = 'https://pay.example';

/** The configuration that snapshots need, for benchmarks and tests that use the store without a service. */
export function snapshotSettings(network: Network) {
  return {
    publicUrl: PUBLIC_URL,
    toleranceBps: 0,
    networks: { BTC: network, LTC: network },
    quarantineSeconds: 3600,
  } as const;
}
