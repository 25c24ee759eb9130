import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '@paywatch/dev/stack';
import { openShops, startLoadStack } from '../src/load/load-stage.ts';
import { runScript, type Script } from './k6/run-script.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startLoadStack(1);
  // Globals that k6 provides: the environment, and the number of the user.
  Object.assign(globalThis, { __ENV: await openShops(stack.url, 2), __VU: 1 });
});
afterAll(() => stack.stop());

test.each([
  ['create', 20],
  ['read', 20],
  ['donate', 10],
  ['pool-exhaustion', 25],
  ['login-storm', 12],
  ['donation-storm', 25],
  ['audience', 10],
])('the load script %s meets its thresholds in a small run', async (name, iterations) => {
  const script: Script = await import(`../k6/${name}.ts`);
  expect(await runScript(script, iterations)).toEqual([]);
});
