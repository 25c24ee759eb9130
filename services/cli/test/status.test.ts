import { freePort } from '@paywatch/dev/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { openAccount, openBench, openChain, openWallet, ENTRY, type Bench } from './support/bench.ts';

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
