import { findOverview } from '@paywatch/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openAccount, openBench, type Bench, type TestAccount } from './support/bench.ts';

const DAY_MS = 86_400_000;

let bench: Bench;
beforeAll(async () => (bench = await openBench()));
afterAll(() => bench.close());

const change = z.looseObject({ subscription: z.object({ active: z.boolean(), active_until: z.string() }) });

async function daysLeft({ projectId }: TestAccount): Promise<number> {
  const { subscriptionActiveUntil } = await findOverview(bench.store, projectId);
  return ((subscriptionActiveUntil?.getTime() ?? 0) - Date.now()) / DAY_MS;
}

async function auditedChanges({ projectId }: TestAccount) {
  return bench.store.sql<{ detail: Record<string, unknown> }[]>`
    select detail from audit_log where project_id = ${projectId} and action = 'subscription.changed' order by id`;
}

test('days count from now for a lapsed subscription, and are added to what is left of an active one', async () => {
  const account = await openAccount(bench);
  const first = await bench.spawn(['subscriptions', 'grant', account.email, '--days', '30', '--json']);
  expect(first.json()).toMatchObject({
    email: account.email,
    subscription: { active: true },
    previous_active_until: null,
    changed: true,
  });
  expect(await daysLeft(account)).toBeCloseTo(30, 1);
  await bench.run(['subscriptions', 'grant', account.email, '--days', '10']);
  expect(await daysLeft(account)).toBeCloseTo(40, 1);
});

test('two grants of days at once add up', async () => {
  const account = await openAccount(bench);
  const grant = () => bench.spawn(['subscriptions', 'grant', account.email, '--days', '5']);
  await Promise.all([grant(), grant()]);
  expect(await daysLeft(account)).toBeCloseTo(10, 1);
});

test('a day as the end means its end in UTC, and a moment that moment', async () => {
  const account = await openAccount(bench, 14);
  const grant = async (until: string) => {
    const run = await bench.run(['subscriptions', 'grant', account.email, '--until', until, '--json']);
    return run.read(change).subscription.active_until;
  };
  expect(await grant('2099-02-28')).toBe('2099-03-01T00:00:00.000Z');
  expect(await grant('2098-12-31T12:00:00+02:00')).toBe('2098-12-31T10:00:00.000Z');
});

test('an end in the past is refused and changes nothing', async () => {
  const account = await openAccount(bench);
  const run = await bench.run(['subscriptions', 'grant', account.email, '--until', '2020-01-01']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(`paywatch subscriptions end ${account.email}`);
  expect(await auditedChanges(account)).toEqual([]);
});

test('ending ends at once, and ending again changes nothing and writes nothing down', async () => {
  const account = await openAccount(bench, 14);
  const end = async () => (await bench.run(['subscriptions', 'end', account.email, '--json'])).read(change);
  const first = await end();
  expect(first).toMatchObject({ subscription: { active: false }, changed: true });
  expect((await findOverview(bench.store, account.projectId)).isSubscriptionActive).toBe(false);
  expect(await end()).toMatchObject({ subscription: first.subscription, changed: false });
  expect(await auditedChanges(account)).toHaveLength(1);
});

test('each change is written down as the operator’s, with the end before and after', async () => {
  const account = await openAccount(bench);
  await bench.run(['subscriptions', 'grant', account.email, '--until', '2099-01-01T00:00:00Z']);
  expect(await auditedChanges(account)).toMatchObject([
    { detail: { actor: 'operator', from: null, until: '2099-01-01T00:00:00.000Z' } },
  ]);
});
