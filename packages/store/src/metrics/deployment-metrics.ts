import type { Registry } from '@paywatch/runtime/observability';
import { cachedRead } from '@paywatch/runtime/process';
import { countParkedInvoices } from '../invoices/parked-invoices.ts';
import type { Store } from '../store.ts';
import { measureRelayLag } from '../webhooks/lease-deliveries.ts';
import { registerChainMetrics } from './chain-metrics.ts';
import { registerGauge, type Sample } from './gauge.ts';
import { registerPoolMetrics } from './pool-metrics.ts';
import { registerRateMetrics } from './rate-metrics.ts';
import { registerReconciliationMetrics } from './reconciliation-metrics.ts';

/** Counting all invoices takes longer, and the count changes little between scrapes. */
const COUNTED_MS = 30_000;

/**
 * Registers the state of the whole deployment as Postgres has it: chains, pools, parked invoices, the webhook outbox,
 * reconciliation and exchange rates. Watchers and webhook workers both export it, so it stays visible when one kind is down.
 * While Postgres is unavailable these gauges have no values, and `paywatch_postgres_up` is 0.
 */
export function registerDeploymentMetrics(registry: Registry, store: Store): void {
  registerChainMetrics(registry, store);
  const parked = {
    name: 'paywatch_invoices_parked',
    help: 'Invoices that are parked because their decision fails.',
    labelNames: ['currency'],
  };
  registerGauge(registry, parked, async () =>
    (await countParkedInvoices(store.sql)).map(({ currency, count }) => [{ currency }, count]),
  );
  const lag = {
    name: 'paywatch_webhook_outbox_lag_seconds',
    help: 'How long the oldest due delivery has waited for a relay.',
  };
  registerGauge(registry, lag, async () => [[{}, await measureRelayLag(store)]]);
  registerPoolMetrics(registry, store);
  registerReconciliationMetrics(registry, store);
  registerRateMetrics(registry, store);
  const reversed = {
    name: 'paywatch_invoices_reversed',
    help: 'Invoices whose reported outcome was reversed by the chain.',
  };
  registerGauge(
    registry,
    reversed,
    cachedRead(() => countReversed(store), COUNTED_MS),
  );
}

async function countReversed({ sql }: Store): Promise<Sample[]> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from invoices where reversed`;
  return [[{}, row?.count ?? 0]];
}
