import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { FLAG, INVOCATIONS } from '../src/process/tier-up-early.ts';

test('V8 knows the flag, and its default is higher', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const usual = new RegExp(`default: --${FLAG}=(\\d+)`).exec(options)?.[1];
  expect(Number(usual)).toBeGreaterThan(INVOCATIONS);
});
