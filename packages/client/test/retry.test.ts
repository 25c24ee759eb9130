import { assert, double, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from '../src/retry.ts';

const policy = { maxRetries: 2, maxRetryDelayMs: 20_000 };
const chance = double({ min: 0, max: 1, noNaN: true });

test.each([
  ['no answer', null, true, true],
  ['no answer', null, false, false],
  ['500', { status: 500, code: 'internal_error' }, true, true],
  ['500', { status: 500, code: 'internal_error' }, false, false],
  ['503 of a pool', { status: 503, code: 'address_pool_busy' }, false, true],
  ['429', { status: 429, code: 'rate_limited' }, false, true],
  ['408', { status: 408, code: 'http_408' }, true, true],
  ['422', { status: 422, code: 'validation_error' }, true, false],
  ['404', { status: 404, code: 'invoice_not_found' }, true, false],
  ['409', { status: 409, code: 'idempotency_conflict' }, true, false],
])('%s, repeatable %s', (_what, failure, repeatable, isRetried) => {
  const given = failure === null ? null : { ...failure, retryAfterSeconds: null };
  expect(retryDelayMs(given, repeatable, 0, policy, 0.5) !== null).toBe(isRetried);
  expect(retryDelayMs(given, repeatable, 2, policy, 0.5)).toBeNull();
});

test('a pause that the answer names is kept, and never shortened', () => {
  assert(
    property(integer({ min: 0, max: 20 }), chance, (seconds, luck) => {
      const failure = { status: 503, code: 'service_unavailable', retryAfterSeconds: seconds };
      const delayMs = retryDelayMs(failure, true, 0, policy, luck);
      expect(delayMs).toBeGreaterThanOrEqual(seconds * 1000);
      expect(delayMs).toBeLessThanOrEqual(seconds * 1100);
    }),
  );
});

test('other pauses double, from 200 to 400 ms up to 8 seconds, and are spread by half', () => {
  assert(
    property(integer({ min: 0, max: 50 }), chance, (retries, luck) => {
      const delayMs = retryDelayMs(null, true, retries, { ...policy, maxRetries: 100 }, luck);
      const most = Math.min(8000, 400 * 2 ** retries);
      expect(delayMs).toBeGreaterThanOrEqual(most / 2);
      expect(delayMs).toBeLessThanOrEqual(most);
    }),
  );
});
