import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '@paywatch/dev/stack';
import { openShops, startLoadStack, type LoadEnvironment } from '../src/load/load-stage.ts';
import { ITERATIONS, scriptNames } from '../src/load/scripts.ts';
import { missedOf, runScript, type Outcome, type Script } from '../src/runner/run-script.ts';

let stack: Stack;
let environment: LoadEnvironment;
beforeAll(async () => {
  stack = await startLoadStack(1);
  environment = await openShops(stack.url, 2);
  // Globals that k6 provides: the environment, and the number of the user.
  Object.assign(globalThis, { __ENV: environment, __VU: 1 });
});
afterAll(() => stack.stop());

test('every script has its number of iterations', () => {
  expect(Object.keys(ITERATIONS).toSorted()).toEqual(scriptNames().toSorted());
});

test.each(Object.entries(ITERATIONS))(
  'the load script %s meets its thresholds in a small run',
  async (name, iterations) => {
    const script: Script = await import(`../k6/${name}.ts`);
    expect(missedOf(await runScript(script, iterations))).toEqual([]);
  },
);

test('without k6 a script runs in a process of its own, which prints the outcomes of its thresholds', () => {
  const file = fileURLToPath(new URL('../src/runner/script-process.ts', import.meta.url));
  const env = { ...process.env, ...environment };
  const output = execFileSync(process.execPath, [file, 'create', '3'], { env, encoding: 'utf8' });
  expect(JSON.parse(output) as Outcome[]).toEqual([
    { threshold: 'checks: rate>0.999', measured: '1', verdict: 'met' },
    { threshold: 'http_req_failed: rate<0.001', measured: '0', verdict: 'met' },
    {
      threshold: 'http_req_duration: p(95)<250',
      measured: expect.stringMatching(/^\d+\.\d ms$/),
      verdict: null,
    },
    {
      threshold: 'http_req_duration: p(99)<1000',
      measured: expect.stringMatching(/^\d+\.\d ms$/),
      verdict: null,
    },
  ]);
});
