import { freePort } from '@paywatch/dev/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { openAccount, openBench, openChain, openWallet, ENTRY, type Bench } from './support/bench.ts';
import { findProblems } from '../src/status/find-problems.ts';
import type { DeploymentStatus } from '../src/status/read-status.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

test('before a watcher has run, the status is a problem, with exit code 1', async () => {
  const run = await bench.run(['status', '--json']);
  expect(run.code).toBe(1);
  expect(run.json()).toMatchObject({ healthy: false, problems: ['no watcher has followed a chain yet'] });
});

test('a healthy deployment has exit code 0, and one screen names chains, pools, webhooks, mail and Redis', async () => {
  await openChain(bench, 'BTC', 100);
  const { projectId } = await openAccount(bench);
  await openWallet(bench, projectId, 'BTC');
  const [forPrograms, forPeople] = [await bench.run(['status', '--json']), await bench.run(['status'])];
  expect(forPrograms).toMatchObject({ code: 0, stderr: '' });
  expect(forPrograms.json()).toMatchObject({
    healthy: true,
    problems: [],
    chains: [{ currency: 'BTC', network: 'regtest', tip_height: 100, blocks_behind: 0, leader: true }],
    pools: [{ currency: 'BTC', dry: 0 }],
    parked_invoices: 0,
    webhooks: { pending: 0, due: 0, failing: 0, failing_projects: 0, lag_seconds: 0 },
    mail: null,
    redis: true,
  });
  for (const word of ['CHAIN', 'POOLS', 'Webhooks', 'Mail', 'Redis', 'No problems found.'])
    expect(forPeople.stdout).toContain(word);
  expect(forPeople.stdout.split('\n').length).toBeLessThan(25);
});

test('an unavailable Redis is a problem, and no password is printed', async () => {
  const env = { REDIS_URL: `redis://:hidden@127.0.0.1:${await freePort()}` };
  const run = await bench.run(['status'], { env });
  expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('PROBLEM  REDIS_URL') });
  expect(run.stdout).not.toContain('hidden');
});

test('without Postgres it fails with advice', async () => {
  const env = { DATABASE_URL: `postgres://u:hidden@127.0.0.1:${await freePort()}/paywatch` };
  const run = await bench.run(['status'], { env });
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('DATABASE_URL');
  expect(run.stderr).not.toContain('hidden');
});

test('--watch --json prints one document per line until it is stopped', async () => {
  const env = { PATH: process.env['PATH'], ...bench.env };
  const child = spawn(process.execPath, [ENTRY, 'status', '--watch', '--json'], { env });
  const seen: unknown[] = [];
  for await (const text of createInterface({ input: child.stdout })) {
    seen.push(JSON.parse(text));
    if (seen.length === 2) child.kill('SIGINT');
  }
  expect(seen).toEqual([
    expect.objectContaining({ healthy: true }),
    expect.objectContaining({ healthy: true }),
  ]);
});

type Chain = DeploymentStatus['chains'][number];

const IDLE = { pending: 0, due: 0, failing: 0, failingProjects: 0, lagSeconds: 0 };

function chain(change: Partial<Chain>): Chain {
  const moment = new Date(0);
  return {
    currency: 'BTC',
    network: 'regtest',
    tip: { height: 1, hash: '', minedAt: moment },
    knownHeight: 1,
    unscannedBlocks: 0,
    isFresh: true,
    staleSeconds: null,
    checkedAt: moment,
    mempoolReadAt: moment,
    hasLeader: true,
    dueDecisions: 0,
    nowMs: 0,
    ...change,
  };
}

function healthy(): DeploymentStatus {
  return {
    chains: [chain({})],
    pools: [],
    parkedInvoices: 0,
    webhooks: IDLE,
    mail: { lagSeconds: 0 },
    redisFault: null,
    archive: { archivedAt: new Date(2), failedAt: new Date(1) },
  };
}

test.each([
  ['no leader', { chains: [chain({ hasLeader: false })] }, 'BTC: no watcher leads the chain'],
  ['a stale view', { chains: [chain({ isFresh: false })] }, 'BTC: the view of the chain is stale'],
  ['overdue webhooks', { webhooks: { ...IDLE, lagSeconds: 61 } }, 'webhooks: not picked up for 61 s'],
  ['overdue mail', { mail: { lagSeconds: 90 } }, 'mail: not picked up for 90 s'],
  ['parked invoices', { parkedInvoices: 2 }, '2 invoices are parked'],
  [
    'a failing archive',
    { archive: { archivedAt: new Date(1), failedAt: new Date(2) } },
    'the last WAL file was not archived',
  ],
])('%s is a problem', (_what, change, problem) => {
  expect(findProblems({ ...healthy(), ...change })).toEqual([problem]);
  expect(findProblems(healthy())).toEqual([]);
});
