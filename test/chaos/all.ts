import type { Figure, Measurement, MeasurementOptions } from '@paywatch/dev/commands';
import { setTimeout as sleep } from 'node:timers/promises';

const SHARE = 0.1;
/** Time limit of all runs together; each may use its share of the remaining time. */
const MINUTES = 20;

/**
 * Runs every measurement at a tenth of the requested size. A measurement that fails or exceeds its time counts as a violation; the
 * others still run.
 */
export async function runAll(
  measurements: Readonly<Record<string, Measurement>>,
  options: MeasurementOptions,
): Promise<Figure[]> {
  const untilMs = Date.now() + MINUTES * 60_000;
  const figures: Figure[] = [];
  for (const [index, [name, measurement]] of Object.entries(measurements).entries()) {
    options.terminal.line(`\n${name}: ${measurement.about}`);
    const left = Object.keys(measurements).length - index;
    const withinMs = (untilMs - Date.now()) / left;
    const found = await measureWithin(measurement, { ...options, share: options.share * SHARE }, withinMs);
    figures.push(...found.map((figure) => ({ ...figure, name: `${name}.${figure.name}` })));
  }
  return [...figures, sumOf(figures, 'operations'), sumOf(figures, 'faults'), sumOf(figures, 'violations')];
}

async function measureWithin(
  { load }: Measurement,
  options: MeasurementOptions,
  withinMs: number,
): Promise<readonly Figure[]> {
  const ended = new AbortController();
  const measured = load().then(({ run }) => run(options));
  const tooLate = sleep(withinMs, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`not finished after ${Math.round(withinMs / 1000)} s`);
  });
  try {
    return await Promise.race([measured, tooLate]);
  } catch (error) {
    options.terminal.line(String(error));
    return [{ name: 'violations', value: 1, reach: { atMost: 0 } }];
  } finally {
    ended.abort();
  }
}

function sumOf(figures: readonly Figure[], name: string): Figure {
  const value = figures
    .filter((figure) => figure.name.endsWith(`.${name}`))
    .reduce((sum, one) => sum + one.value, 0);
  return { name, value, ...(name === 'violations' ? { reach: { atMost: 0 } } : {}) };
}
