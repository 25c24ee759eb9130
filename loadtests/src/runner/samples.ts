import { AsyncLocalStorage } from 'node:async_hooks';

/** The samples of a run, each with its scenario; null in setup and teardown. */
type Run = { samples: { metric: string; value: number; scenario: string | null }[] };

let run: Run = { samples: [] };
const scenarios = new AsyncLocalStorage<string>();

/** Deletes all samples. */
export function startRun(): void {
  run = { samples: [] };
}

/** Runs a scenario's function and tags its samples with the scenario. */
export function inScenario<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return scenarios.run(name, work);
}

/** Adds a sample of a metric. */
export function addSample(metric: string, value: number): void {
  run.samples.push({ metric, value, scenario: scenarios.getStore() ?? null });
}

/** The values of a metric, optionally of one scenario: `checks`, `http_req_duration{scenario:logins}`. */
export function valuesOf(name: string): number[] {
  const [, metric, scenario] = /^(\w+)(?:\{scenario:(\w+)\})?$/.exec(name) ?? [];
  return run.samples
    .filter((sample) => sample.metric === metric && (scenario === undefined || sample.scenario === scenario))
    .map(({ value }) => value);
}
