import { addSample } from './samples.ts';

/** Replaces the module `k6`: the function that the scripts use. */
export function check<Value>(value: Value, checks: Record<string, (value: Value) => boolean>): boolean {
  const results = Object.entries(checks).map(([name, isTrue]) => {
    const holds = isTrue(value);
    addSample('checks', holds ? 1 : 0);
    if (!holds) console.error(`check failed: ${name}: ${JSON.stringify(value)}`);
    return holds;
  });
  return results.every(Boolean);
}
