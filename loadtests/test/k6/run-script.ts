import { inScenario, startRun, valuesOf } from './samples.ts';

/** The module of a k6 script. */
export type Script = {
  options: { scenarios: Record<string, { exec?: string }>; thresholds: Record<string, readonly string[]> };
  setup?: () => Promise<unknown>;
  teardown?: (data: unknown) => Promise<void>;
} & Record<string, unknown>;

/**
 * Runs each scenario of a script `iterations` times, all scenarios concurrently, and returns the missed thresholds. Durations are
 * not checked, because a few requests on a busy machine prove nothing.
 */
export async function runScript(script: Script, iterations: number): Promise<string[]> {
  startRun();
  const data = await script.setup?.();
  const scenarios = Object.entries(script.options.scenarios);
  await Promise.all(
    scenarios.map(([name, { exec }]) => repeat(name, functionOf(script, exec), data, iterations)),
  );
  await script.teardown?.(data);
  return Object.entries(script.options.thresholds).flatMap(([metric, expressions]) =>
    expressions
      .filter((expression) => !holds(metric, expression))
      .map((expression) => `${metric}: ${expression}`),
  );
}

type Step = (data: unknown) => Promise<void>;

function functionOf(script: Script, exec = 'default'): Step {
  const step = script[exec];
  if (typeof step !== 'function') throw new Error(`the script has no function ${exec}`);
  return step as Step;
}

async function repeat(scenario: string, step: Step, data: unknown, iterations: number): Promise<void> {
  for (let i = 0; i < iterations; i += 1) await inScenario(scenario, () => step(data));
}

/** Checks `rate>0.99` and `count>0`; for `p(95)<250` only that there are samples. Throws on any other form. */
function holds(metric: string, expression: string): boolean {
  const values = valuesOf(metric);
  const [, aggregate, sign, bound] = /^(rate|count|p\(\d+\))([<>])(\d+(?:\.\d+)?)$/.exec(expression) ?? [];
  if (aggregate === undefined) throw new Error(`not a threshold: ${expression}`);
  if (aggregate.startsWith('p')) return values.length > 0;
  const sum = values.reduce((total, value) => total + value, 0);
  const value = aggregate === 'rate' ? sum / values.length : sum;
  return sign === '>' ? value > Number(bound) : value < Number(bound);
}
