import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '@paywatch/dev/stack';
import { openShops, startLoadStack } from '../src/load/load-stage.ts';
import { runScript, type Script } from './k6/run-script.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startLoadStack(1);
  // What k6 gives its scripts: the settings, and the number of the user, of whom a small run has one.
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
])('the load script %s holds its thresholds on a small run', async (name, iterations) => {
  const script: Script = await import(`../k6/${name}.ts`);
  expect(await runScript(script, iterations)).toEqual([]);
});
