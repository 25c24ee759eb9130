import { expect, test } from 'vitest';
import { checkAvailability, failedShare, type Asked } from './check-availability.ts';

const asked = (change: Partial<Asked> = {}): Asked => ({
  kind: 'create',
  expectedStatus: 201,
  status: 201,
  durationMs: 5,
  ...change,
});

test.each([
  ['a response within a second', {}, 0],
  ['a response after a second', { durationMs: 1001 }, 1],
  ['another status', { status: 200 }, 1],
  ['a refusal', { status: 503 }, 1],
  ['no answer', { status: null }, 1],
])('the availability checker counts %s', (_title, change, failed) => {
  const result = checkAvailability([asked(), asked(change), asked({ kind: 'status' })]);
  expect(result.create).toEqual({ requests: 2, failed });
  expect(result.all).toEqual({ requests: 3, failed });
  expect(result.status).toEqual({ requests: 1, failed: 0 });
});

test('a kind without requests counts as failed', () => {
  expect(failedShare(checkAvailability([]).login)).toBe(1);
  expect(failedShare({ requests: 4, failed: 1 })).toBe(0.25);
});
