import { isUsableRate } from '@paywatch/domain/prices';
import type { Registry } from '@paywatch/runtime/observability';
import { cachedRead } from '@paywatch/runtime/process';
import { loadRateReports, type RateReport } from '../prices/exchange-rates.ts';
import type { Store } from '../store.ts';
import { registerGauge, SHARED_MS, type Sample } from './gauge.ts';

/** Registers the exchange rates and their sources. There are no values while no watcher reads rates. */
export function registerRateMetrics(registry: Registry, store: Store): void {
  const reports = cachedRead(() => loadRateReports(store), SHARED_MS);
  const ofPairs = (name: string, help: string, value: (report: RateReport) => number | null) =>
    registerGauge(registry, { name, help, labelNames: ['currency', 'in'] }, async () =>
      (await reports()).flatMap((report): Sample[] => {
        const found = value(report);
        return found === null ? [] : [[{ currency: report.currency, in: report.in }, found]];
      }),
    );
  ofPairs(
    'paywatch_rate_age_seconds',
    'Age of the accepted exchange rate. Priced orders are refused above 120.',
    (report) => report.ageSeconds,
  );
  ofPairs(
    'paywatch_rate_usable',
    'Whether orders can be priced with the exchange rate: it is recent, and its sources agree.',
    ({ ageSeconds, withheld }) =>
      Number(ageSeconds !== null && isUsableRate({ withheld, ageMs: ageSeconds * 1000 })),
  );
  const up = {
    name: 'paywatch_rate_source_up',
    help: 'Whether the source had a price at the last reading.',
    labelNames: ['source', 'currency', 'in'],
  };
  registerGauge(registry, up, async () =>
    (await reports()).flatMap(({ currency, in: priceCurrency, quotes }) =>
      quotes.map(({ source, fault }): Sample => [
        { source, currency, in: priceCurrency },
        Number(fault === null),
      ]),
    ),
  );
}
