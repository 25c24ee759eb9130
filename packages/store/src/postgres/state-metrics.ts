import { Gauge, type Registry } from '@paywatch/runtime/observability';
import { countLimitedPools } from '../accounts/address-limits.ts';
import { loadChainStatuses } from '../chain/chain-status.ts';
import { measureRelayLag } from '../webhooks/deliveries.ts';
import { countParkedInvoices } from '../invoices/parked-invoices.ts';
import { readPoolFigures, type PoolFigures } from '../pools/pool-health.ts';
import {
  readReconciliationFigures,
  type ReconciliationFigures,
} from '../reconciliation/reconciliation-results.ts';
import type { ServerWatch } from './start-checks.ts';
import type { Store } from '../store.ts';

/** Several gauges of one scrape are read once. */
const SHARED_MS = 1000;
/** Counting takes longer, and what is counted changes little from scrape to scrape. */
const COUNTED_MS = 30_000;

/**
 * What Postgres says of the whole deployment: how far chains are followed, what waits to be sent, how full the pools are.
 * Watchers and webhook workers both tell it, so that the silence of one kind is told by the other. While Postgres is away
 * there are no values, and `paywatch_postgres_up` is 0.
 */
export function registerStateMetrics(registry: Registry, store: Store): void {
  const chains = shared(() => loadChainStatuses(store), SHARED_MS);
  const ofChains = (name: string, help: string, value: (chain: ChainStatus) => number) =>
    register(registry, { name, help, labelNames: ['currency'] }, async () =>
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
    'Age of the last good answer of a source.',
    (c) => (c.nowMs - c.checkedAt.getTime()) / 1000,
  );
  ofChains('paywatch_chain_has_leader', 'Whether a watcher follows the chain.', (c) => Number(c.hasLeader));
  ofChains('paywatch_chain_due_decisions', 'Invoices whose status is to be decided.', (c) => c.dueDecisions);
  const parked = {
    name: 'paywatch_invoices_parked',
    help: 'Invoices that are set aside because their decision fails.',
    labelNames: ['currency'],
  };
  register(registry, parked, async () =>
    (await countParkedInvoices(store.sql)).map(({ currency, count }) => [{ currency }, count]),
  );
  const lag = {
    name: 'paywatch_webhook_outbox_lag_seconds',
    help: 'How long the delivery that has waited longest is overdue for a relay.',
  };
  register(registry, lag, async () => [[{}, await measureRelayLag(store)]]);
  registerPoolMetrics(registry, store);
  const limited = {
    name: 'paywatch_pools_limited',
    help: 'Pools that the limit of their account keeps from being derived further.',
  };
  register(registry, limited, async () => [[{}, await countLimitedPools(store)]]);
  registerReconciliationMetrics(registry, store);
  const reversed = {
    name: 'paywatch_invoices_reversed',
    help: 'Invoices whose reported outcome the chain took back.',
  };
  register(
    registry,
    reversed,
    shared(() => countReversed(store), COUNTED_MS),
  );
}

/** As pools were last looked at. No pool, wallet or project has a label of its own. */
function registerPoolMetrics(registry: Registry, { sql }: Store): void {
  const figures = shared(() => readPoolFigures(sql), SHARED_MS);
  const ofPools = (name: string, help: string, label: string, samplesOf: (of: PoolFigures) => Sample[]) =>
    register(registry, { name, help, labelNames: ['currency', label] }, async () =>
      (await figures()).flatMap((of) =>
        samplesOf(of).map(([labels, value]): Sample => [{ currency: of.currency, ...labels }, value]),
      ),
    );
  ofPools(
    'paywatch_pool_addresses',
    'Addresses of open pools by state: free (may be leased now), leased, quarantined.',
    'state',
    ({ free, leased, quarantined }) => samplesBy('state', { free, leased, quarantined }),
  );
  ofPools(
    'paywatch_pools',
    'Open pools by health: ample, low (below a fifth of the gap limit), dry.',
    'health',
    ({ ample, low, dry }) => samplesBy('health', { ample, low, dry }),
  );
  const lowest = {
    name: 'paywatch_pool_lowest_free_share',
    help: 'Of the pool that has least left: its free addresses by its gap limit.',
    labelNames: ['currency'],
  };
  register(registry, lowest, async () =>
    (await figures()).map(({ currency, lowestFreeShare }) => [{ currency }, lowestFreeShare]),
  );
}

/** Of the last run of each chain over at least 30 days; no values before the first has ended. */
function registerReconciliationMetrics(registry: Registry, { sql }: Store): void {
  const figures = shared(() => readReconciliationFigures(sql), SHARED_MS);
  const ofRuns = (name: string, help: string, value: (of: ReconciliationFigures) => number | undefined) =>
    register(registry, { name, help, labelNames: ['currency'] }, async () =>
      (await figures()).flatMap((of): Sample[] => {
        const found = value(of);
        return found === undefined ? [] : [[{ currency: of.currency }, found]];
      }),
    );
  ofRuns(
    'paywatch_reconciliation_differences',
    'Ways in which recorded outcomes differ from what the chain says, by the last reconciliation.',
    ({ last }) => last?.differences,
  );
  ofRuns(
    'paywatch_reconciliation_unverifiable',
    'Outcomes that depend on blocks which no source has any more, by the last reconciliation.',
    ({ last }) => last?.unverifiable,
  );
  ofRuns(
    'paywatch_reconciliation_last_end_timestamp_seconds',
    'When the last reconciliation ended.',
    ({ last }) => (last === null ? undefined : last.endedAt.getTime() / 1000),
  );
  ofRuns(
    'paywatch_reconciliation_overdue_seconds',
    'For how long a reconciliation that is due has not ended.',
    ({ overdueSeconds }) => overdueSeconds,
  );
}

function samplesBy(label: string, values: Readonly<Record<string, number>>): Sample[] {
  return Object.entries(values).map(([name, value]) => [{ [label]: name }, value]);
}

type ChainStatus =
  Awaited<ReturnType<typeof loadChainStatuses>> extends Map<unknown, infer Status> ? Status : never;
type Sample = [labels: Record<string, string>, value: number];
type Description = { name: string; help: string; labelNames?: string[] };

/** Whether the servers answer this process. */
export function registerServerMetrics(registry: Registry, store: Store, watch: ServerWatch): void {
  const postgres = { name: 'paywatch_postgres_up', help: 'Whether Postgres answers this process.' };
  register(registry, postgres, async () => {
    const isUp = await store.ping().then(
      () => true,
      () => false,
    );
    return [[{}, Number(isUp)]];
  });
  const redis = {
    name: 'paywatch_redis_up',
    help: 'Whether Redis serves this process; at 0 the process works without Redis.',
  };
  const isUp = () => Object.keys(watch.degradations()).length === 0;
  register(registry, redis, () => Promise.resolve([[{}, Number(isUp())]]));
}

/** A scrape must not fail because Postgres does: it says so itself. */
function register(registry: Registry, description: Description, read: () => Promise<Sample[]>): void {
  const { name, help, labelNames = [] } = description;
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = await read().catch(() => []);
      gauge.reset();
      // Reset leaves a gauge without labels at 0, which would say that nothing waits.
      if (samples.length === 0 && labelNames.length === 0) gauge.remove();
      for (const [labels, value] of samples) gauge.set(labels, value);
    },
  });
}

/** Callers within `ms` get the same answer. */
function shared<Value>(read: () => Promise<Value>, ms: number): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let untilMs = 0;
  return () => {
    if (value === undefined || performance.now() > untilMs) {
      value = read();
      untilMs = performance.now() + ms;
      value.catch(() => (untilMs = 0));
    }
    return value;
  };
}

async function countReversed({ sql }: Store): Promise<Sample[]> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from invoices where reversed`;
  return [[{}, row?.count ?? 0]];
}
