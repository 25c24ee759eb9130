import { addSample } from './samples.ts';

/** Stands in for the module `k6`: what the scripts use of it. */
export function check<Value>(value: Value, checks: Record<string, (value: Value) => boolean>): boolean {
  const results = Object.entries(checks).map(([name, isTrue]) => {
    const holds = isTrue(value);
    addSample('checks', holds ? 1 : 0);
    if (!holds) console.error(`check failed: ${name}: ${JSON.stringify(value)}`);
    return holds;
  });
  return results.every(Boolean);
}
