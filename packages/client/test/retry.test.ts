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
])('%s, idempotent: %s', (_what, failure, idempotent, isRetried) => {
  const given = failure === null ? null : { ...failure, retryAfterSeconds: null };
  expect(retryDelayMs(given, idempotent, 0, policy, 0.5) !== null).toBe(isRetried);
  expect(retryDelayMs(given, idempotent, 2, policy, 0.5)).toBeNull();
});

test('Retry-After is respected and extended by at most 10 percent', () => {
  assert(
    property(integer({ min: 0, max: 20 }), chance, (seconds, luck) => {
      const failure = { status: 503, code: 'service_unavailable', retryAfterSeconds: seconds };
      const delayMs = retryDelayMs(failure, true, 0, policy, luck);
      expect(delayMs).toBeGreaterThanOrEqual(seconds * 1000);
      expect(delayMs).toBeLessThanOrEqual(seconds * 1100);
    }),
  );
});

test('the backoff doubles from 400 ms to 8 seconds, with jitter of up to half', () => {
  assert(
    property(integer({ min: 0, max: 50 }), chance, (retries, luck) => {
      const delayMs = retryDelayMs(null, true, retries, { ...policy, maxRetries: 100 }, luck);
      const most = Math.min(8000, 400 * 2 ** retries);
      expect(delayMs).toBeGreaterThanOrEqual(most / 2);
      expect(delayMs).toBeLessThanOrEqual(most);
    }),
  );
});
