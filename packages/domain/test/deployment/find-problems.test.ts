import { findProblems, problemText, type DeploymentFacts, type Problem } from '../../src/deployment/index.ts';
import { expect, test } from 'vitest';

const chain = { currency: 'BTC', hasLeader: true, isFresh: true } as const;
const healthy: DeploymentFacts = {
  chains: [chain],
  pools: [{ currency: 'BTC', dry: 0 }],
  parkedInvoices: 0,
  webhooks: { lagSeconds: 0 },
  mail: { lagSeconds: 0 },
  redisFault: null,
  archive: { archivedAt: new Date(2), failedAt: new Date(1) },
};

const CASES: readonly [string, Partial<DeploymentFacts>, Problem, string][] = [
  ['no chain', { chains: [] }, { code: 'no_chain' }, 'no watcher has followed a chain yet'],
  [
    'no leader',
    { chains: [{ ...chain, hasLeader: false }] },
    { code: 'no_leader', currency: 'BTC' },
    'BTC: no watcher leads the chain',
  ],
  [
    'a stale view',
    { chains: [{ ...chain, isFresh: false }] },
    { code: 'stale_chain', currency: 'BTC' },
    'BTC: the view of the chain is stale',
  ],
  [
    'overdue webhooks',
    { webhooks: { lagSeconds: 61 } },
    { code: 'late_webhooks', seconds: 61 },
    'webhooks: not picked up for 61 s',
  ],
  [
    'overdue mail',
    { mail: { lagSeconds: 90 } },
    { code: 'late_mail', seconds: 90 },
    'mail: not picked up for 90 s',
  ],
  [
    'dry pools',
    { pools: [{ currency: 'LTC', dry: 3 }] },
    { code: 'dry_pools', currency: 'LTC', count: 3 },
    'LTC: 3 pools have no free address',
  ],
  ['parked invoices', { parkedInvoices: 2 }, { code: 'parked_invoices', count: 2 }, '2 invoices are parked'],
  [
    'a Redis that does not respond',
    { redisFault: 'REDIS_URL: connection refused' },
    { code: 'redis_unavailable', fault: 'REDIS_URL: connection refused' },
    'REDIS_URL: connection refused',
  ],
  [
    'a failing archive',
    { archive: { archivedAt: new Date(1), failedAt: new Date(2) } },
    { code: 'archive_failing' },
    'the last WAL file was not archived',
  ],
];

test.each(CASES)('%s is a problem', (_what, change, problem, text) => {
  expect(findProblems({ ...healthy, ...change })).toEqual([problem]);
  expect(problemText(problem)).toBe(text);
});

test('a healthy deployment has no problem, with and without mail and an archive', () => {
  expect(findProblems(healthy)).toEqual([]);
  expect(findProblems({ ...healthy, mail: null, archive: null })).toEqual([]);
});
