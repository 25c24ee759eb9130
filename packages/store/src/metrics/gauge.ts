import { Gauge, type Registry } from '@paywatch/runtime/observability';

export type Sample = [labels: Record<string, string>, value: number];
export type Description = { name: string; help: string; labelNames?: string[] };

/** Several gauges of one scrape share one read. */
export const SHARED_MS = 1000;

/** Registers a gauge that is read at each scrape. While `read` fails, the gauge has no value and the scrape still succeeds. */
export function registerGauge(
  registry: Registry,
  { name, help, labelNames = [] }: Description,
  read: () => Promise<Sample[]>,
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = await read().catch(() => []);
      gauge.reset();
      // A reset leaves a gauge without labels at 0, which would read as "nothing is waiting".
      if (samples.length === 0 && labelNames.length === 0) gauge.remove();
      for (const [labels, value] of samples) gauge.set(labels, value);
    },
  });
}
