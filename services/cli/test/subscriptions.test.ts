import { byOperator } from '@paywatch/store/accounts';
import { findOverview } from '@paywatch/store/projects';
import { linkPurchase, openPurchase } from '@paywatch/store/subscriptions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  openAccount,
  openBench,
  openOrder,
  openWallet,
  type Bench,
  type TestAccount,
} from './support/bench.ts';

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

test('--days extends an active subscription, and starts now for a lapsed one', async () => {
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

test('--project grants to a further project of the account, and refuses that of another one', async () => {
  const [account, other] = [await openAccount(bench), await openAccount(bench)];
  const [project] = await bench.store.sql<{ id: bigint; name: string }[]>`
    insert into projects (account_id, donate_token, overlay_token)
    values (${account.accountId}, ${`donate-${account.projectId}`}, ${`overlay-${account.projectId}`})
    returning id, public_id as name`;
  if (!project) throw new Error('one row');
  const grant = (email: string) =>
    bench.spawn(['subscriptions', 'grant', email, '--days', '5', '--project', project.name]);
  expect((await grant(account.email)).code).toBe(0);
  expect(await daysLeft({ ...account, projectId: project.id })).toBeCloseTo(5, 1);
  expect((await grant(other.email)).stderr).toContain(`has no project ${project.name}`);
  const shown = await bench.run(['accounts', 'show', account.email]);
  expect(shown.stdout).toContain(project.name);
  expect(await daysLeft(account)).toBeLessThan(0);
});

test('concurrent grants of days add up', async () => {
  const account = await openAccount(bench);
  const grant = () => bench.spawn(['subscriptions', 'grant', account.email, '--days', '5']);
  await Promise.all([grant(), grant()]);
  expect(await daysLeft(account)).toBeCloseTo(10, 1);
});

test('--until with a day means its end in UTC, and with a time that time', async () => {
  const account = await openAccount(bench, 14);
  const grant = async (until: string) => {
    const run = await bench.run(['subscriptions', 'grant', account.email, '--until', until, '--json']);
    return run.read(change).subscription.active_until;
  };
  expect(await grant('2099-02-28')).toBe('2099-03-01T00:00:00.000Z');
  expect(await grant('2098-12-31T12:00:00+02:00')).toBe('2098-12-31T10:00:00.000Z');
});

test('list shows active subscriptions, soonest end first, and filters by their end', async () => {
  const [later, sooner, lapsed] = [
    await openAccount(bench, 200),
    await openAccount(bench, 3),
    await openAccount(bench),
  ];
  const list = async (...options: string[]) => {
    const run = await bench.run(['subscriptions', 'list', '--limit', '1000', '--json', ...options]);
    const { data } = run.read(z.object({ data: z.array(z.object({ email: z.string() })) }));
    return data.map(({ email }) => email).filter((email) => own.includes(email));
  };
  const own = [later, sooner, lapsed].map(({ email }) => email);
  expect(await list()).toEqual([sooner.email, later.email]);
  expect(await list('--ending-within', '7')).toEqual([sooner.email]);
});

test('an end in the past is refused and changes nothing', async () => {
  const account = await openAccount(bench);
  const run = await bench.run(['subscriptions', 'grant', account.email, '--until', '2020-01-01']);
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(`paywatch subscriptions end ${account.email}`);
  expect(await auditedChanges(account)).toEqual([]);
});

test('end takes effect at once, and a second end changes and logs nothing', async () => {
  const account = await openAccount(bench, 14);
  const end = async () => (await bench.run(['subscriptions', 'end', account.email, '--json'])).read(change);
  const first = await end();
  expect(first).toMatchObject({ subscription: { active: false }, changed: true });
  expect((await findOverview(bench.store, account.projectId)).isSubscriptionActive).toBe(false);
  expect(await end()).toMatchObject({ subscription: first.subscription, changed: false });
  expect(await auditedChanges(account)).toHaveLength(1);
});

test('each change has an audit log entry of the operator with the previous and the new end', async () => {
  const account = await openAccount(bench);
  await bench.run(['subscriptions', 'grant', account.email, '--until', '2099-01-01T00:00:00Z']);
  expect(await auditedChanges(account)).toMatchObject([
    { detail: { actor: 'operator', from: null, until: '2099-01-01T00:00:00.000Z' } },
  ]);
});

/** An order of the seller that pays for another account's subscription. */
async function openPurchaseOf(seller: TestAccount, buyer: TestAccount, orderId: string) {
  const { invoiceId, publicId } = await openOrder(bench, seller, 'BTC', orderId);
  const request = {
    projectId: buyer.projectId,
    currency: 'BTC',
    amount: 150_000n,
    days: 30,
    orderId,
  } as const;
  const { purchaseId } = await openPurchase(bench.store, byOperator, request);
  await linkPurchase(bench.store.sql, purchaseId, invoiceId);
  return publicId;
}

describe('a purchase', () => {
  test('that was paid late is undecided until the operator honours it, which extends once', async () => {
    const [seller, buyer] = [await openAccount(bench, 14), await openAccount(bench)];
    await openWallet(bench, seller.projectId, 'BTC');
    const publicId = await openPurchaseOf(seller, buyer, 'subscription-1');
    const undecided = async () =>
      (await bench.run(['subscriptions', 'purchases', '--undecided', '--json'])).json();
    expect(await undecided()).toEqual({ data: [] });
    await bench.store.sql`update invoices set status = 'late_payment' where public_id = ${publicId}`;
    expect(await undecided()).toMatchObject({
      data: [
        { email: buyer.email, public_id: publicId, days: 30, status: 'late_payment', extended_at: null },
      ],
    });
    expect((await bench.run(['subscriptions', 'honour', publicId])).code).toBe(0);
    expect(await daysLeft(buyer)).toBeCloseTo(30, 1);
    const again = await bench.run(['subscriptions', 'honour', publicId]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
    expect(await daysLeft(buyer)).toBeCloseTo(30, 1);
    expect(await undecided()).toEqual({ data: [] });
  });

  test('requires a valid seller, which the doctor checks', async () => {
    const seller = await openAccount(bench);
    const check = async () => {
      const env = { SUBSCRIPTION_SELLER: seller.email, SUBSCRIPTION_PRICE_BTC: '0.0003' };
      const run = await bench.run(['doctor', '--json'], { env });
      const { checks } = run.read(z.object({ checks: z.array(z.looseObject({ check: z.string() })) }));
      return checks.find((each) => each.check === 'Subscription seller');
    };
    expect(await check()).toMatchObject({ status: 'failed', advice: expect.stringContaining('grant') });
    await bench.run(['subscriptions', 'grant', seller.email, '--days', '30']);
    expect(await check()).toMatchObject({ status: 'failed', detail: expect.stringContaining('BTC') });
    await openWallet(bench, seller.projectId, 'BTC');
    expect(await check()).toMatchObject({ status: 'ok' });
  });
});
