import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import {
  claimDeliveries,
  claimNextDeliveries,
  type ClaimedDelivery,
} from '../../src/webhooks/claim-deliveries.ts';
import {
  findLeasedDeliveries,
  measureRelayLag,
  postponeDeliveries,
  leaseDueDeliveries,
} from '../../src/webhooks/lease-deliveries.ts';
import {
  recordAttempts,
  parkOrFailDelivery,
  type AttemptReport,
  type DeliveryPlan,
} from '../../src/webhooks/record-attempts.ts';
import { insertEvents } from '../../src/webhooks/events.ts';
import { setWebhookEndpoint } from '../../src/webhooks/webhook-endpoints.ts';
import { createProject, given } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;
let projectId: bigint;

beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  await store.sql`truncate delivery_attempts, deliveries, events cascade`;
  ({ projectId } = await createProject(store));
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://shop.example/',
    secretSealed: randomBytes(60),
  });
});
afterAll(() => store.close());

test('the last 100 attempts of a delivery are kept', async () => {
  const claimed = await claimOne();
  await store.sql`update deliveries set attempts = 100 where id = ${claimed.id}`;
  await store.sql`
    insert into delivery_attempts (delivery_id, number, url, started_at, duration_ms)
    select ${claimed.id}, n, 'https://shop.example/', now() - interval '1 day', 1 from generate_series(1, 100) n`;
  await recordAttempts(store, [reportOf(claimed, { kind: 'retry', delayMs: 0 })]);
  const rows = await store.sql<{ number: number }[]>`
    select number from delivery_attempts where delivery_id = ${claimed.id} order by number`;
  expect([rows.length, rows.at(0)?.number, rows.at(-1)?.number]).toEqual([100, 2, 101]);
});

async function createDeliveries(count: number): Promise<bigint[]> {
  const events = Array.from({ length: count }, () => ({
    publicId: `evt_${randomBytes(12).toString('hex')}`,
    projectId,
    invoiceId: null,
    type: 'webhook.test',
    txid: null,
    body: '{}',
  }));
  await insertEvents(store.sql, events);
  const rows = await store.sql<
    { id: bigint }[]
  >`select id from deliveries where project_id = ${projectId} order by id`;
  return rows.map((row) => row.id);
}

function taking() {
  return { token: randomUUID(), leaseSeconds: 20 };
}

async function claimOne(): Promise<ClaimedDelivery> {
  const ids = await createDeliveries(1);
  return given((await claimDeliveries(store, ids.slice(-1), taking()))[0]);
}

function reportOf(
  claimed: ClaimedDelivery,
  plan: DeliveryPlan,
  overrides: Partial<AttemptReport> = {},
): AttemptReport {
  return {
    deliveryId: claimed.id,
    claim: claimed.claim,
    url: 'https://shop.example/',
    startedAt: new Date(),
    durationMs: 12,
    httpStatus: plan.kind === 'delivered' ? 200 : 500,
    error: plan.kind === 'delivered' ? null : 'answered 500',
    responseExcerpt: 'ok',
    plan,
    ...overrides,
  };
}

async function rowOf(id: bigint) {
  const [row] = await store.sql`
    select status, attempts, failures, claimed_until, delivered_at,
      round(extract(epoch from next_attempt_at - now()))::int as due, round(extract(epoch from relay_at - now()))::int as relay
    from deliveries where id = ${id}`;
  return row;
}

test('concurrent relays take every due delivery once within a lease', async () => {
  const ids = await createDeliveries(50);
  const taken = await Promise.all(
    Array.from({ length: 8 }, () => leaseDueDeliveries(store, { limit: 10, ...taking() })),
  );
  const first = taken.flat().map((due) => due.id);
  expect(new Set(first).size).toBe(first.length);
  const rest = await leaseDueDeliveries(store, { limit: 100, ...taking() });
  expect(new Set([...first, ...rest.map((due) => due.id)])).toEqual(new Set(ids));
  expect(first.length + rest.length).toBe(ids.length);
  expect(await leaseDueDeliveries(store, { limit: 100, ...taking() })).toEqual([]);
});

test('a relay takes the oldest deliveries of a long backlog and some of the newest', async () => {
  const ids = await createDeliveries(50);
  await store.sql`update deliveries set relay_at = now() - interval '1 hour' + id * interval '1 millisecond'`;
  const taken = await leaseDueDeliveries(store, { limit: 10, ...taking() });
  expect(new Set(taken.map((due) => due.id))).toEqual(new Set([...ids.slice(0, 8), ...ids.slice(-2)]));
});

test('a relay takes only long-waiting deliveries of a backlog that workers pull, and all others immediately', async () => {
  const ids = await createDeliveries(4);
  const pulled = [String(projectId)];
  await store.sql`update deliveries set relay_at = now() - interval '11 seconds' where id = ${given(ids[2])}`;
  ({ projectId } = await createProject(store));
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://b.example/',
    secretSealed: randomBytes(60),
  });
  const others = await createDeliveries(2);
  const taken = await leaseDueDeliveries(store, { limit: 100, pulled, ...taking() });
  expect(new Set(taken.map((due) => due.id))).toEqual(new Set([ids[2], ...others]));
});

test('a long pulled backlog hides no newer delivery of others from a relay', async () => {
  await createDeliveries(2100);
  const pulled = [String(projectId)];
  ({ projectId } = await createProject(store));
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://b.example/',
    secretSealed: randomBytes(60),
  });
  const [oldest, middle, newest] = await createDeliveries(3);
  await store.sql`update deliveries set relay_at = now() - interval '3 seconds' + id * interval '1 microsecond'`;
  await store.sql`update deliveries set relay_at = now() - interval '4 seconds' where id = ${given(oldest)}`;
  await store.sql`update deliveries set relay_at = now() - interval '2 seconds' where id = ${given(newest)}`;
  const taken = await leaseDueDeliveries(store, { limit: 100, pulled, ...taking() });
  expect(new Set(taken.map((due) => due.id))).toEqual(new Set([oldest, middle, newest]));
});

test('relays skip claimed deliveries until the claim expires', async () => {
  const [claimed, free] = await createDeliveries(2);
  await claimDeliveries(store, [given(claimed)], taking());
  await store.sql`update deliveries set relay_at = now() - interval '1 minute' where id = ${given(claimed)}`;
  expect(await measureRelayLag(store)).toBeLessThan(60);
  expect((await leaseDueDeliveries(store, { limit: 10, ...taking() })).map((due) => due.id)).toEqual([free]);
  await store.sql`update deliveries set claimed_until = now() where id = ${given(claimed)}`;
  expect((await leaseDueDeliveries(store, { limit: 10, ...taking() })).map((due) => due.id)).toEqual([
    claimed,
  ]);
});

test('a relay that lost the answer can take its batch again; others cannot', async () => {
  const ids = await createDeliveries(3);
  const { token, leaseSeconds } = taking();
  await leaseDueDeliveries(store, { limit: 2, token, leaseSeconds });
  await leaseDueDeliveries(store, { limit: 1, ...taking() });
  expect(new Set((await findLeasedDeliveries(store, token)).map((due) => due.id))).toEqual(
    new Set(ids.slice(0, 2)),
  );
  expect(await findLeasedDeliveries(store, taking().token)).toEqual([]);
  const [claimed] = await claimDeliveries(store, ids.slice(0, 1), taking());
  expect(claimed).toBeDefined();
  expect((await findLeasedDeliveries(store, token)).map((due) => due.id)).toEqual(ids.slice(1, 2));
});

test('repeating a claim with its token returns the same claim', async () => {
  const ids = await createDeliveries(3);
  const own = taking();
  const [first] = await claimDeliveries(store, ids.slice(0, 1), own);
  expect(await claimDeliveries(store, ids.slice(0, 1), own)).toMatchObject([
    { id: ids[0], claim: given(first).claim },
  ]);
  expect(await claimDeliveries(store, ids.slice(0, 1), taking())).toEqual([]);

  const wanted = [{ endpointKey: projectId, limit: 1 }];
  const pulled = await claimNextDeliveries(store, wanted, own);
  expect(pulled.map((one) => one.id)).toEqual([ids[0]]);
  const next = taking();
  const [second] = await claimNextDeliveries(store, wanted, next);
  expect(await claimNextDeliveries(store, wanted, next)).toMatchObject([
    { id: ids[1], claim: given(second).claim },
  ]);
});

test('a delivery that was put back is due again after its delay, with the same plan', async () => {
  const [id] = await createDeliveries(1);
  await leaseDueDeliveries(store, { limit: 1, ...taking() });
  await postponeDeliveries(store, [{ id: given(id), delayMs: 5000 }]);
  expect(await rowOf(given(id))).toMatchObject({ status: 'pending', due: 0, relay: 5 });
});

test('concurrent claims of a delivery succeed once, and never for one that is not due', async () => {
  const [id, later] = await createDeliveries(2);
  await store.sql`update deliveries set next_attempt_at = now() + interval '1 minute' where id = ${given(later)}`;
  const claims = await Promise.all(
    Array.from({ length: 8 }, () => claimDeliveries(store, [given(later), given(id)], taking())),
  );
  expect(claims.flat().map((claimed) => claimed.id)).toEqual([id]);
});

test('deliveries of several projects are claimed together, oldest first per project, up to the limit', async () => {
  const [first, second] = await createDeliveries(3);
  const other = (await createProject(store)).projectId;
  const wanted = [
    { endpointKey: projectId, limit: 2 },
    { endpointKey: other, limit: 5 },
  ];
  await store.sql`update deliveries set next_attempt_at = now() - id * interval '-1 second' - interval '1 day'`;
  const claimed = await claimNextDeliveries(store, wanted, taking());
  expect(claimed.map((one) => one.id)).toEqual([first, second]);
  expect(await claimNextDeliveries(store, wanted, taking())).toHaveLength(1);
  expect(await claimNextDeliveries(store, wanted, taking())).toEqual([]);
});

test.for([
  [{ kind: 'delivered' }, { status: 'delivered', attempts: 1, failures: 0, due: null }],
  [
    { kind: 'retry', delayMs: 300_000 },
    { status: 'pending', attempts: 1, failures: 1, due: 300, relay: 300 },
  ],
  [{ kind: 'failed' }, { status: 'failed', attempts: 1, failures: 1, due: null }],
  [{ kind: 'parked' }, { status: 'pending', attempts: 1, failures: 1, due: 0, relay: 600 }],
] as const)('an attempt with the plan %j is recorded and planned', async ([plan, expected]) => {
  const claimed = await claimOne();
  await recordAttempts(store, [reportOf(claimed, plan)]);
  expect(await rowOf(claimed.id)).toMatchObject({ ...expected, claimed_until: null });
});

test('recording the same attempt twice changes nothing', async () => {
  const claimed = await claimOne();
  const report = reportOf(claimed, { kind: 'retry', delayMs: 300_000 });
  await recordAttempts(store, [report]);
  const before = await rowOf(claimed.id);
  await recordAttempts(store, [report]);
  expect(await rowOf(claimed.id)).toEqual(before);
});

test('two attempts of one delivery in one batch are both recorded, with their own numbers', async () => {
  const claimed = await claimOne();
  const other = await claimOne();
  await recordAttempts(store, [
    reportOf(claimed, { kind: 'retry', delayMs: 60_000 }, { startedAt: new Date(1000) }),
    reportOf(other, { kind: 'delivered' }),
    reportOf(claimed, { kind: 'delivered' }, { startedAt: new Date(2000) }),
  ]);
  expect(await rowOf(claimed.id)).toMatchObject({ status: 'delivered', attempts: 2, failures: 1 });
  expect(await rowOf(other.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  const numbers = await store.sql`
    select number, http_status from delivery_attempts where delivery_id = ${claimed.id} order by number`;
  expect(numbers.map(({ number, http_status: status }) => [number, status])).toEqual([
    [1, 500],
    [2, 200],
  ]);
});

test('a worker that lost its claim cannot plan a retry, but its success counts', async () => {
  const lost = await claimOne();
  await store.sql`update deliveries set claimed_until = now() where id = ${lost.id}`;
  const current = given((await claimDeliveries(store, [lost.id], taking()))[0]);
  await recordAttempts(store, [reportOf(lost, { kind: 'failed' }, { startedAt: new Date(1000) })]);
  expect(await rowOf(lost.id)).toMatchObject({ status: 'pending', attempts: 1, failures: 0, due: 0 });
  await recordAttempts(store, [reportOf(lost, { kind: 'delivered' }, { startedAt: new Date(2000) })]);
  expect(await rowOf(lost.id)).toMatchObject({ status: 'delivered', attempts: 2 });
  await recordAttempts(store, [reportOf(current, { kind: 'retry', delayMs: 0 })]);
  expect(await rowOf(lost.id)).toMatchObject({ status: 'delivered', attempts: 3, due: null });
});

test('a delivery deferred without an attempt waits or has failed, only for its latest claim', async () => {
  const claimed = await claimOne();
  await parkOrFailDelivery(store, { id: claimed.id, claim: claimed.claim - 1 }, 'failed');
  expect(await rowOf(claimed.id)).toMatchObject({ status: 'pending' });
  await store.sql`
    update webhook_endpoints set status = 'disabled'
    where project_id = (select project_id from deliveries where id = ${claimed.id})`;
  await parkOrFailDelivery(store, claimed, 'parked');
  expect(await rowOf(claimed.id)).toMatchObject({ status: 'pending', attempts: 0, due: 0, relay: 600 });
  await parkOrFailDelivery(store, claimed, 'failed');
  expect(await rowOf(claimed.id)).toMatchObject({ status: 'failed', attempts: 0, due: null });
});

test('setting the endpoint makes waiting deliveries due, and leaves planned retries', async () => {
  const [resting, planned] = await createDeliveries(2);
  await store.sql`update deliveries set relay_at = now() + interval '10 minutes' where id = ${given(resting)}`;
  await store.sql`
    update deliveries set next_attempt_at = now() + interval '1 hour', relay_at = now() + interval '1 hour'
    where id = ${given(planned)}`;
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://b.example/',
    secretSealed: randomBytes(60),
  });
  expect(await rowOf(given(resting))).toMatchObject({ relay: 0 });
  expect(await rowOf(given(planned))).toMatchObject({ relay: 3600 });
});

test('the lag is the age of the delivery that waits longest for a relay', async () => {
  expect(await measureRelayLag(store)).toBe(0);
  const [id] = await createDeliveries(2);
  await store.sql`update deliveries set relay_at = now() - interval '90 seconds' where id = ${given(id)}`;
  expect(await measureRelayLag(store)).toBeCloseTo(90, 0);
});

test('batches that overlap in any order neither deadlock nor lose a report', async () => {
  const ids = await createDeliveries(60);
  const claimed = await claimDeliveries(store, ids, taking());
  const halves = [claimed.toReversed(), claimed].map((some, half) =>
    recordAttempts(
      store,
      some.map((one) => reportOf(one, { kind: 'retry', delayMs: 0 }, { startedAt: new Date(half + 1) })),
    ),
  );
  await Promise.all(halves);
  const [row] = await store.sql<{ attempts: bigint }[]>`select sum(attempts) as attempts from deliveries`;
  expect(Number(row?.attempts)).toBe(120);
});
