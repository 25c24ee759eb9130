import { AsyncLocalStorage } from 'node:async_hooks';

/** The scenario whose code runs, and all that it measured; what a script does before and after has none. */
type Run = { samples: { metric: string; value: number; scenario: string | null }[] };

let run: Run = { samples: [] };
const scenarios = new AsyncLocalStorage<string>();

/** Forgets what was measured before. */
export function startRun(): void {
  run = { samples: [] };
}

/** Runs a scenario's function; what it measures is tagged with its name. */
export function inScenario<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return scenarios.run(name, work);
}

/** Notes a value of a metric. */
export function addSample(metric: string, value: number): void {
  run.samples.push({ metric, value, scenario: scenarios.getStore() ?? null });
}

/** The values of a metric, of one scenario where it is named: `checks`, `http_req_duration{scenario:logins}`. */
export function valuesOf(name: string): number[] {
  const [, metric, scenario] = /^(\w+)(?:\{scenario:(\w+)\})?$/.exec(name) ?? [];
  return run.samples
    .filter((sample) => sample.metric === metric && (scenario === undefined || sample.scenario === scenario))
    .map(({ value }) => value);
}
