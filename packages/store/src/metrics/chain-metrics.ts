import type { Registry } from '@paywatch/runtime/observability';
import { cachedRead } from '@paywatch/runtime/process';
import { loadChainStatuses, type ChainStatus } from '../chain/chain-status.ts';
import type { Store } from '../store.ts';
import { registerGauge, SHARED_MS } from './gauge.ts';

/** Registers how far each chain is followed and how many invoices wait for a decision. */
export function registerChainMetrics(registry: Registry, store: Store): void {
  const chains = cachedRead(() => loadChainStatuses(store), SHARED_MS);
  const ofChains = (name: string, help: string, value: (chain: ChainStatus) => number) =>
    registerGauge(registry, { name, help, labelNames: ['currency'] }, async () =>
      [...(await chains()).values()].map((chain) => [{ currency: chain.currency }, value(chain)]),
    );
  ofChains(
    'paywatch_chain_tip_height',
    'Highest block up to which everything is recorded.',
    (c) => c.tip.height,
  );
  ofChains(
    'paywatch_chain_lag_blocks',
    'Known blocks that are not recorded yet.',
    (c) => c.knownHeight - c.tip.height,
  );
  ofChains(
    'paywatch_chain_lag_seconds',
    'Age of the last complete read of a source.',
    (c) => (c.nowMs - c.checkedAt.getTime()) / 1000,
  );
  ofChains('paywatch_chain_has_leader', 'Whether a watcher follows the chain.', (c) => Number(c.hasLeader));
  ofChains(
    'paywatch_chain_due_decisions',
    'Invoices that wait for a status decision.',
    (c) => c.dueDecisions,
  );
}
