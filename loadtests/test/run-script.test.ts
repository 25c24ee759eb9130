import { expect, test } from 'vitest';
import { check } from './k6/k6.ts';
import { Counter } from './k6/metrics.ts';
import { runScript } from './k6/run-script.ts';

const never = new Counter('never');
const once = new Counter('once');

test('a small run returns the missed thresholds, per scenario where the threshold names one', async () => {
  const missed = await runScript(
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
  expect(missed).toEqual([
    'checks: rate>0.5',
    'checks{scenario:bad}: rate>0.999',
    'never: count>0',
    'http_req_duration: p(95)<250',
  ]);
});
