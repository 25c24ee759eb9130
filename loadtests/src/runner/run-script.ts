import { percentile } from '../shared/percentile.ts';
import { inScenario, startRun, valuesOf } from './samples.ts';

/** What came of a threshold, such as `checks: rate>0.999`. `verdict` is null where a run proves nothing. */
export type Outcome = { threshold: string; measured: string; verdict: 'met' | 'missed' | null };

/** The module of a k6 script. */
export type Script = {
  options: { scenarios: Record<string, { exec?: string }>; thresholds: Record<string, readonly string[]> };
  setup?: () => Promise<unknown>;
  teardown?: (data: unknown) => Promise<void>;
} & Record<string, unknown>;

/**
 * Runs each scenario of a script `iterations` times, all scenarios concurrently, and returns the outcomes of its thresholds. Durations
 * are measured and have no verdict, because a few requests on a busy machine prove nothing.
 */
export async function runScript(script: Script, iterations: number): Promise<Outcome[]> {
  startRun();
  const data = await script.setup?.();
  const scenarios = Object.entries(script.options.scenarios);
  await Promise.all(
    scenarios.map(([name, { exec }]) => repeat(name, functionOf(script, exec), data, iterations)),
  );
  await script.teardown?.(data);
  return Object.entries(script.options.thresholds).flatMap(([metric, expressions]) =>
    expressions.map((expression) => ({
      threshold: `${metric}: ${expression}`,
      ...judge(valuesOf(metric), expression),
    })),
  );
}

/** The thresholds that were missed. */
export function missedOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter(({ verdict }) => verdict === 'missed').map(({ threshold }) => threshold);
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

/** Judges `rate>0.99` and `count>0`; of `p(95)<250` only that there are samples. Throws on any other form. */
function judge(values: readonly number[], expression: string): Omit<Outcome, 'threshold'> {
  const [, aggregate, percent, sign, bound] =
    /^(rate|count|p\((\d+)\))([<>])(\d+(?:\.\d+)?)$/.exec(expression) ?? [];
  if (aggregate === undefined) throw new Error(`not a threshold: ${expression}`);
  if (percent !== undefined) return judgeDuration(values, Number(percent) / 100);
  const sum = values.reduce((total, value) => total + value, 0);
  const value = aggregate === 'rate' ? sum / values.length : sum;
  const isMet = sign === '>' ? value > Number(bound) : value < Number(bound);
  return { measured: String(Number(value.toFixed(4))), verdict: isMet ? 'met' : 'missed' };
}

function judgeDuration(values: readonly number[], share: number): Omit<Outcome, 'threshold'> {
  if (values.length === 0) return { measured: 'nothing', verdict: 'missed' };
  return { measured: `${percentile(values, share).toFixed(1)} ms`, verdict: null };
}
