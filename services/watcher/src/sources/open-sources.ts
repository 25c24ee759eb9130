import type { BlockPlace, Network } from '@paywatch/domain/chain';
import type { Logger } from '@paywatch/runtime/observability';
import type { Clock } from '@paywatch/runtime/process';
import type { ChainConfig } from '../config.ts';
import { createEsploraSource } from './esplora/esplora-source.ts';
import { createNodeSource } from './node/node-source.ts';
import { createSourcePool, type SourcePool } from './source-pool.ts';

/** Makes the configured sources of one chain. Sends no request yet. */
export function openSources(
  chain: ChainConfig,
  options: {
    network: Network;
    esploraPauseMs: number;
    /** The blocks that this deployment already follows. */
    loadFollowed: () => Promise<readonly BlockPlace[]>;
    clock: Clock;
    logger: Logger;
  },
): SourcePool {
  const { currency } = chain;
  const { clock, esploraPauseMs: minPauseMs } = options;
  return createSourcePool({
    ...options,
    currency,
    nodes: chain.nodes.map(({ url, zmqEndpoints }) => createNodeSource(url, { zmqEndpoints })),
    standIns: chain.esploraUrls.map((url) => createEsploraSource({ url, currency, clock, minPauseMs })),
  });
}
