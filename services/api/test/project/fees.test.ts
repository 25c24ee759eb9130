import { saveFeeEstimate, type FeeEstimate } from '@paywatch/store/chain';
import { expect, it } from 'vitest';
import { expectAnswer, expectProblem, sharedApi } from '../support/api.ts';

let nowMs = Date.parse('2026-11-20T12:00:00.000Z');
const api = await sharedApi({ clock: { nowMs: () => nowMs } });

const estimate = (fast: string, estimatedAtMs = nowMs): FeeEstimate => ({
  fast,
  normal: '8',
  economy: '1.5',
  targetBlocks: { fast: 1, normal: 6, economy: 144 },
  estimatedAtMs,
});
const read = (currency: string) => api.call('get', `/v1/public/fee/${currency}`);

it('answers fee_unavailable with Retry-After while there is no estimate', async () => {
  const response = await read('LTC');
  expectProblem(response, 503, 'fee_unavailable');
  expect(response.headers['retry-after']).toBe('60');
});

it('answers the last estimate without credentials, in the unit of its currency', async () => {
  await saveFeeEstimate(api.store, 'BTC', estimate('12.5'));
  const response = await read('BTC');
  expectAnswer(response, 'getFeeEstimate', 200);
  expect(response.body).toEqual({
    currency: 'BTC',
    unit: 'sat/vB',
    fast: '12.5',
    normal: '8',
    economy: '1.5',
    target_blocks: { fast: 1, normal: 6, economy: 144 },
    estimated_at: '2026-11-20T12:00:00.000Z',
    stale: false,
  });
});

it('marks an estimate older than 10 minutes as stale', async () => {
  await saveFeeEstimate(api.store, 'BTC', estimate('13'));
  nowMs += 600_000;
  expect((await read('BTC')).body.stale).toBe(false);
  nowMs += 1;
  expect((await read('BTC')).body.stale).toBe(true);
});

it('an estimate is never replaced by an older one', async () => {
  await saveFeeEstimate(api.store, 'BTC', estimate('20'));
  await saveFeeEstimate(api.store, 'BTC', estimate('1', nowMs - 1000));
  expect((await read('BTC')).body.fast).toBe('20');
});

it('refuses an unknown currency', async () => {
  const response = await read('DOGE');
  expectProblem(response, 422, 'validation_error');
  expect(response.body.errors[0].path).toBe('path.currency');
});
