import type { Currency } from '@paywatch/domain/values';
import { loadFollowedBlocks } from '@paywatch/store/chain';
import type { WatcherContext } from '../../src/context.ts';
import type { ChainSource } from '../../src/sources/chain-source.ts';
import { createSourcePool } from '../../src/sources/source-pool.ts';
import { startWatcher, type Watcher } from '../../src/watcher.ts';

/** Starts a watcher of one chain that reads from these sources, and closes them with it. */
export function watch(
  context: WatcherContext,
  currency: Currency,
  sources: { nodes: readonly ChainSource[]; standIns?: readonly ChainSource[] },
  { pollIntervalMs = 100, processId = 'watcher' } = {},
): Watcher {
  const loadFollowed = () => loadFollowedBlocks(context.store, currency);
  const pool = createSourcePool({ ...context, ...sources, loadFollowed, currency, network: 'regtest' });
  const watcher = startWatcher(context, { sources: new Map([[currency, pool]]), processId, pollIntervalMs });
  return {
    stop: async () => {
      await watcher.stop();
      await pool.close();
    },
  };
}
