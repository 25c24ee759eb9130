import { expect, test } from 'vitest';
import { check } from '../src/runner/k6.ts';
import { Counter } from '../src/runner/metrics.ts';
import { missedOf, runScript } from '../src/runner/run-script.ts';

const never = new Counter('never');
const once = new Counter('once');

test('a small run returns the outcome of each threshold, per scenario where the threshold names one', async () => {
  const outcomes = await runScript(
    {
      options: {
        scenarios: { good: {}, bad: { exec: 'fail' } },
        thresholds: {
          checks: ['rate>0.5', 'rate>0.4'],
          'checks{scenario:good}': ['rate>0.999'],
          'checks{scenario:bad}': ['rate<0.001', 'rate>0.999'],
          never: ['count>0'],
          once: ['count>0', 'count<2'],
          http_req_duration: ['p(95)<250'],
        },
      },
      setup: async () => once.add(1),
      default: async () => void check(1, { 'is one': (value) => value === 1 }),
      fail: async () => void check(1, { 'is two': (value) => value === 2 }),
      teardown: async () => never.add(0),
    },
    3,
  );
  expect(missedOf(outcomes)).toEqual([
    'checks: rate>0.5',
    'checks{scenario:bad}: rate>0.999',
    'never: count>0',
    'http_req_duration: p(95)<250',
  ]);
  expect(outcomes.slice(0, 4)).toEqual([
    { threshold: 'checks: rate>0.5', measured: '0.5', verdict: 'missed' },
    { threshold: 'checks: rate>0.4', measured: '0.5', verdict: 'met' },
    { threshold: 'checks{scenario:good}: rate>0.999', measured: '1', verdict: 'met' },
    { threshold: 'checks{scenario:bad}: rate<0.001', measured: '0', verdict: 'met' },
  ]);
});
