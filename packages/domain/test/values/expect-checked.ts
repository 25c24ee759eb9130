import { expect } from 'vitest';
import type { Checked } from '../../src/values/checked.ts';

/** The value of a parse that must have succeeded. */
export function accepted<Value>(checked: Checked<Value>): Value {
  if (!checked.ok) throw new Error(`refused: ${checked.problem.code}`);
  return checked.value;
}

/** The code of a parse that must have failed with a message in words. */
export function refusalOf<Code extends string>(checked: Checked<unknown, Code>): Code {
  if (checked.ok) throw new Error('accepted');
  expect(checked.problem.message).toMatch(/^[A-Z].+\.$/);
  return checked.problem.code;
}
