import { expect, test } from 'vitest';
import { readThresholds } from '../src/load/k6.ts';
import { formatReport, isPassed, type ScriptReport } from '../src/load/report.ts';
import { aboutScript, scriptNames } from '../src/load/scripts.ts';

const fine: ScriptReport = {
  name: 'create',
  about: 'Many merchants create orders.',
  seconds: 31.4,
  outcomes: [
    { threshold: 'checks: rate>0.999', measured: '100.00%', verdict: 'met' },
    { threshold: 'http_req_duration: p(95)<250', measured: '12.1 ms', verdict: null },
  ],
  problem: null,
};
const slow: ScriptReport = {
  ...fine,
  name: 'read',
  outcomes: [{ threshold: 'http_req_duration: p(95)<100', measured: '223.41ms', verdict: 'missed' }],
};
const broken: ScriptReport = { ...fine, name: 'audience', outcomes: [], problem: 'unknown module: k6/x/sse' };

test('the report has a table of all scripts, the thresholds of each, and why a script did not run', () => {
  expect([fine, slow, broken].map(isPassed)).toEqual([true, false, false]);
  const report = { startedAt: '2026-01-02T03:04:05.000Z', machine: '2 cores', runner: 'Run by k6 v2.3.0.' };
  expect(formatReport({ ...report, scripts: [fine, slow, broken] })).toBe(`# Load report

2026-01-02T03:04:05.000Z, 2 cores. Run by k6 v2.3.0.

1 of 3 scripts passed.

| Script | Result | Thresholds met | Seconds |
| --- | --- | --- | --- |
| create | passed | 1 of 1 | 31 |
| read | **failed** | 0 of 1 | 31 |
| audience | **failed** | 0 of 0 | 31 |

## create

Many merchants create orders.

| Threshold | Measured | Result |
| --- | --- | --- |
| \`checks: rate>0.999\` | 100.00% | met |
| \`http_req_duration: p(95)<250\` | 12.1 ms | not judged |

## read

Many merchants create orders.

| Threshold | Measured | Result |
| --- | --- | --- |
| \`http_req_duration: p(95)<100\` | 223.41ms | **missed** |

## audience

Many merchants create orders.

It did not run to its end:

\`\`\`
unknown module: k6/x/sse
\`\`\`

`);
});

test('thresholds are read from the summary of k6, with their scenarios', () => {
  const summary = `
     execution: local

  █ THRESHOLDS

    checks
    ✓ 'rate>0.999' rate=100.00%

    http_req_duration
    ✗ 'p(95)<100' p(95)=223.41ms
      {scenario:donors}
      ✓ 'p(95)<500' p(95)=1.02s

    login{scenario:guesses}
    ✓ 'count>0' count=12


  █ TOTAL RESULTS

    checks_total.......................: 90      13.122179/s
    ✓ 'is created'
`;
  expect(readThresholds(summary)).toEqual([
    { threshold: 'checks: rate>0.999', measured: '100.00%', verdict: 'met' },
    { threshold: 'http_req_duration: p(95)<100', measured: '223.41ms', verdict: 'missed' },
    { threshold: 'http_req_duration{scenario:donors}: p(95)<500', measured: '1.02s', verdict: 'met' },
    { threshold: 'login{scenario:guesses}: count>0', measured: '12', verdict: 'met' },
  ]);
  expect(readThresholds('ERRO unknown module: k6/x/sse')).toEqual([]);
});

test('every script says in its first comment what it does', () => {
  expect(aboutScript('create')).toBe(
    'Many merchants create orders at the same time: each order quickly gets an address.',
  );
  for (const name of scriptNames()) expect(aboutScript(name), name).toMatch(/^[A-Z].*\.$/);
});
