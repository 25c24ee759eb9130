import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { FLAG, INVOCATIONS } from '../src/process/optimize-early.ts';

test('V8 is asked for less patience than it has, in a name that it knows', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const usual = new RegExp(`default: --${FLAG}=(\\d+)`).exec(options)?.[1];
  expect(Number(usual)).toBeGreaterThan(INVOCATIONS);
});
