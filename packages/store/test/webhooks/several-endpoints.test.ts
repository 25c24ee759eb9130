import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { deleteOldTestEvents } from '../../src/postgres/clean-up.ts';
import { changeEndpoint, deleteEndpoint, rotateEndpointSecret } from '../../src/webhooks/change-endpoint.ts';
import { claimDeliveries, claimNextDeliveries } from '../../src/webhooks/claim-deliveries.ts';
import { createEndpoint, MAX_ENDPOINTS } from '../../src/webhooks/create-endpoint.ts';
import { getEvent, insertEvents, listEvents, redeliverEvent } from '../../src/webhooks/events.ts';
import { leaseDueDeliveries } from '../../src/webhooks/lease-deliveries.ts';
import { findEndpoint, listEndpoints, type EndpointOverview } from '../../src/webhooks/list-endpoints.ts';
import { parkOrFailDelivery, recordAttempts } from '../../src/webhooks/record-attempts.ts';
import { replayEvents } from '../../src/webhooks/replay-events.ts';
import {
  getWebhookEndpoint,
  reportEndpoints,
  setWebhookEndpoint,
} from '../../src/webhooks/webhook-endpoints.ts';
import { createProject, given } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const seal = () => randomBytes(60);
const openProject = async () => (await createProject(store)).projectId;

async function add(
  projectId: bigint,
  host: string,
  eventTypes: string[] | null = null,
): Promise<EndpointOverview> {
  const endpoint = { url: `https://${host}/`, description: '', eventTypes };
  const publicId = `we_${randomBytes(12).toString('hex')}`;
  return given(await createEndpoint(store, byOperator, { ...endpoint, projectId, publicId, seal }));
}

/** Writes events of these types, and returns their ids. */
function cause(projectId: bigint, ...types: string[]): Promise<string[]> {
  return insertEvents(
    store.sql,
    types.map((type) => ({
      publicId: `evt_${randomBytes(12).toString('hex')}`,
      projectId,
      invoiceId: null,
      type,
      txid: null,
      body: '{}',
    })),
  );
}

/** The id that attempts report on. */
async function idOf({ key }: Pick<EndpointOverview, 'key'>): Promise<bigint> {
  const [row] = await store.sql<{ id: bigint }[]>`select id from webhook_endpoints where key = ${key}`;
  return given(row).id;
}

const taking = () => ({ token: randomUUID(), leaseSeconds: 20 });

/** The types of the events that wait for each endpoint, by its host. */
async function waiting(projectId: bigint) {
  const endpoints = await listEndpoints(store, projectId);
  const lists = await Promise.all(
    endpoints.map(({ key }) => listEvents(store, projectId, { endpointKey: key, limit: 10 })),
  );
  return Object.fromEntries(
    endpoints.map(({ url }, index) => [
      new URL(url).host,
      (lists[index] ?? []).map(({ type }) => type).toSorted(),
    ]),
  );
}

test('an event goes to each endpoint that wants its type', async () => {
  const projectId = await openProject();
  await add(projectId, 'all.test');
  await add(projectId, 'money.test', ['invoice.confirmed', 'invoice.late_payment']);
  await add(projectId, 'expiry.test', ['invoice.expired']);
  expect(await cause(projectId, 'invoice.confirmed', 'invoice.expired')).toHaveLength(2);
  expect(await waiting(projectId)).toEqual({
    'all.test': ['invoice.confirmed', 'invoice.expired'],
    'money.test': ['invoice.confirmed'],
    'expiry.test': ['invoice.expired'],
  });
});

test('the first endpoint is the one that POST /v1/webhooks sets; its types stay when it is set again', async () => {
  const projectId = await openProject();
  const first = await add(projectId, 'first.test', ['invoice.expired']);
  const further = await add(projectId, 'further.test');
  expect([first.isFirst, further.isFirst]).toEqual([true, false]);
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://new.test/',
    secretSealed: randomBytes(60),
  });
  expect(await getWebhookEndpoint(store, projectId)).toMatchObject({ url: 'https://new.test/' });
  expect(await listEndpoints(store, projectId)).toMatchObject([
    { publicId: first.publicId, url: 'https://new.test/', eventTypes: ['invoice.expired'] },
    { publicId: further.publicId, url: 'https://further.test/' },
  ]);
});

test('a claim names its own endpoint, with the place of its secret', async () => {
  const projectId = await openProject();
  const first = await add(projectId, 'first.test');
  const further = await add(projectId, 'further.test');
  await cause(projectId, 'invoice.confirmed');
  const due = await leaseDueDeliveries(store, { limit: 10, ...taking() });
  const mine = due.filter((one) => one.projectId === projectId);
  expect(new Set(mine.map(({ endpointKey }) => endpointKey))).toEqual(new Set([further.key, first.key]));
  const claimed = await claimDeliveries(
    store,
    mine.map(({ id }) => id),
    taking(),
  );
  const byKey = new Map(claimed.map((one) => [one.endpointKey, one.endpoint]));
  expect(byKey.get(first.key)).toMatchObject({
    url: 'https://first.test/',
    secretPlace: { row: String(projectId) },
    isTried: false,
  });
  expect(byKey.get(further.key)).toMatchObject({
    url: 'https://further.test/',
    secretPlace: { row: further.publicId },
  });
});

test('deliveries of one endpoint are claimed without those of another, and a pulled endpoint is not leased', async () => {
  const projectId = await openProject();
  const first = await add(projectId, 'first.test');
  const further = await add(projectId, 'further.test');
  await cause(projectId, 'invoice.confirmed', 'invoice.expired');
  const pulled = [String(further.key)];
  const leased = await leaseDueDeliveries(store, { limit: 100, pulled, ...taking() });
  expect(new Set(leased.filter((one) => one.projectId === projectId).map((one) => one.endpointKey))).toEqual(
    new Set([first.key]),
  );
  const claimed = await claimNextDeliveries(store, [{ endpointKey: further.key, limit: 10 }], taking());
  expect(claimed.map(({ endpointKey }) => endpointKey)).toEqual([further.key, further.key]);
});

test('each endpoint has its own health; a report about one leaves the others', async () => {
  const projectId = await openProject();
  const first = await add(projectId, 'first.test');
  const further = await add(projectId, 'further.test');
  const report = {
    endpointId: await idOf(further),
    version: 1,
    status: 'failing',
    error: 'refused',
  } as const;
  await reportEndpoints(store, [report]);
  expect(await findEndpoint(store, projectId, first.publicId)).toMatchObject({
    status: 'healthy',
    isTried: false,
    lastError: null,
  });
  expect(await findEndpoint(store, projectId, further.publicId)).toMatchObject({
    status: 'failing',
    isTried: true,
    lastError: 'refused',
  });
  await reportEndpoints(store, [{ ...report, status: 'healthy', error: null }]);
  expect(await findEndpoint(store, projectId, further.publicId)).toMatchObject({
    status: 'healthy',
    lastError: null,
    failingSince: null,
  });
});

test('an endpoint shows its next attempt and why the last one failed', async () => {
  const projectId = await openProject();
  await add(projectId, 'first.test');
  const further = await add(projectId, 'further.test');
  await cause(projectId, 'invoice.confirmed');
  const [claimed] = await claimNextDeliveries(store, [{ endpointKey: further.key, limit: 1 }], taking());
  const { id: deliveryId, claim } = given(claimed);
  await recordAttempts(store, [
    {
      deliveryId,
      claim,
      url: further.url,
      startedAt: new Date(),
      durationMs: 1,
      httpStatus: 500,
      error: 'answered 500',
      responseExcerpt: null,
      plan: { kind: 'retry', delayMs: 300_000 },
    },
  ]);
  await reportEndpoints(store, [
    { endpointId: await idOf(further), version: 1, status: 'failing', error: 'refused' },
  ]);
  const shown = given(await findEndpoint(store, projectId, further.publicId));
  expect(shown.lastError).toBe('answered 500');
  expect(Math.round((given(shown.nextAttemptAt).getTime() - Date.now()) / 60_000)).toBe(5);
});

test('a project has at most ten endpoints, also if they are added at once, and can always set the first one', async () => {
  const projectId = await openProject();
  const terms = { description: '', eventTypes: null, seal };
  const added = await Promise.all(
    Array.from({ length: 14 }, (_, index) =>
      createEndpoint(store, byOperator, {
        ...terms,
        projectId,
        publicId: `we_${randomBytes(12).toString('hex')}`,
        url: `https://${index}.test/`,
      }),
    ),
  );
  expect(added.filter((one) => one !== null)).toHaveLength(MAX_ENDPOINTS);
  expect(added.filter((one) => one?.isFirst)).toHaveLength(1);
  const first = given(added.find((one) => one?.isFirst));
  await deleteEndpoint(store, byOperator, { projectId, publicId: first.publicId });
  expect(await add(projectId, 'new-first.test')).toMatchObject({ isFirst: true });
  expect(await listEndpoints(store, projectId)).toHaveLength(MAX_ENDPOINTS);
});

test('a change keeps what it does not name; a new URL makes the endpoint healthy and wakes what waits', async () => {
  const projectId = await openProject();
  await add(projectId, 'first.test');
  const further = await add(projectId, 'further.test', ['invoice.confirmed']);
  const name = { projectId, publicId: further.publicId };
  await cause(projectId, 'invoice.confirmed');
  await store.sql`
    update deliveries set relay_at = now() + interval '10 minutes' where endpoint_id is not null and project_id = ${projectId}`;
  await reportEndpoints(store, [
    { endpointId: await idOf(further), version: 1, status: 'disabled', error: 'gone' },
  ]);

  const described = await changeEndpoint(store, byOperator, name, { description: 'Books' });
  expect(described).toMatchObject({ description: 'Books', status: 'disabled', lastError: 'gone' });
  const moved = await changeEndpoint(store, byOperator, name, { url: 'https://moved.test/' });
  expect(moved).toMatchObject({
    url: 'https://moved.test/',
    description: 'Books',
    eventTypes: ['invoice.confirmed'],
    status: 'healthy',
    isTried: false,
    lastError: null,
  });
  const claimed = await claimNextDeliveries(store, [{ endpointKey: further.key, limit: 1 }], taking());
  expect(claimed).toMatchObject([{ endpoint: { url: 'https://moved.test/', version: 2 } }]);
  const due = await leaseDueDeliveries(store, { limit: 100, ...taking() });
  expect(due.filter((one) => one.projectId === projectId)).toHaveLength(1);
});

test('a disabled endpoint stays disabled whatever is reported, until it is enabled', async () => {
  const projectId = await openProject();
  const { publicId, key } = await add(projectId, 'first.test');
  const name = { projectId, publicId };
  expect(await changeEndpoint(store, byOperator, name, { isDisabled: true })).toMatchObject({
    status: 'disabled',
  });
  await reportEndpoints(store, [
    { endpointId: await idOf({ key }), version: 1, status: 'healthy', error: null },
  ]);
  expect(await findEndpoint(store, projectId, publicId)).toMatchObject({ status: 'disabled' });
  expect(await changeEndpoint(store, byOperator, name, { isDisabled: false })).toMatchObject({
    status: 'healthy',
  });
});

test('a new URL of a disabled endpoint, sent together with "disabled", leaves it disabled', async () => {
  const projectId = await openProject();
  const { publicId } = await add(projectId, 'first.test');
  const name = { projectId, publicId };
  await changeEndpoint(store, byOperator, name, { isDisabled: true });
  const change = { url: 'https://moved.test/', isDisabled: true };
  expect(await changeEndpoint(store, byOperator, name, change)).toMatchObject({
    url: 'https://moved.test/',
    status: 'disabled',
    lastError: null,
  });
});

test('an attempt at a deleted first endpoint does not disable the next one, however that is set', async () => {
  const projectId = await openProject();
  const attemptAndDelete = async ({ publicId }: EndpointOverview) => {
    await cause(projectId, 'invoice.confirmed');
    const [claimed] = await claimNextDeliveries(store, [{ endpointKey: projectId, limit: 1 }], taking());
    const { id, version } = given(given(claimed).endpoint);
    await deleteEndpoint(store, byOperator, { projectId, publicId });
    return { endpointId: id, version, status: 'disabled', error: 'answered 410' } as const;
  };
  const first = await attemptAndDelete(await add(projectId, 'first.test'));
  const second = await add(projectId, 'second.test');
  await reportEndpoints(store, [first]);
  expect(await findEndpoint(store, projectId, second.publicId)).toMatchObject({ status: 'healthy' });
  const report = await attemptAndDelete(second);
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://third.test/',
    secretSealed: seal(),
  });
  await reportEndpoints(store, [report]);
  expect(await getWebhookEndpoint(store, projectId)).toMatchObject({ status: 'healthy' });
});

test('what waited for a deleted first endpoint is due as soon as the next one is added', async () => {
  const projectId = await openProject();
  const { publicId } = await add(projectId, 'first.test');
  await cause(projectId, 'invoice.confirmed');
  await deleteEndpoint(store, byOperator, { projectId, publicId });
  const claim = await claimNextDeliveries(store, [{ endpointKey: projectId, limit: 1 }], taking());
  await parkOrFailDelivery(store, given(claim[0]), 'parked');
  await add(projectId, 'second.test');
  const due = await leaseDueDeliveries(store, { limit: 100, ...taking() });
  expect(due.filter((one) => one.projectId === projectId)).toHaveLength(1);
});

test('a rotated secret takes effect at once, and the previous one signs for 24 hours', async () => {
  const projectId = await openProject();
  await add(projectId, 'first.test');
  const further = await add(projectId, 'further.test');
  const name = { projectId, publicId: further.publicId };
  let place: unknown;
  await rotateEndpointSecret(store, byOperator, name, (wanted) => {
    place = wanted.row;
    return Buffer.from('new secret');
  });
  expect(place).toBe(further.publicId);
  await cause(projectId, 'invoice.confirmed');
  const [claimed] = await claimNextDeliveries(store, [{ endpointKey: further.key, limit: 1 }], taking());
  expect(given(claimed).endpoint).toMatchObject({ secretSealed: Buffer.from('new secret') });
  expect(given(given(claimed).endpoint).previousSecretSealed).not.toBeNull();
});

test('no project reads or changes the endpoint of another', async () => {
  const [mine, theirs] = [await openProject(), await openProject()];
  const { publicId } = await add(theirs, 'theirs.test');
  const name = { projectId: mine, publicId };
  expect(await findEndpoint(store, mine, publicId)).toBeNull();
  expect(await changeEndpoint(store, byOperator, name, { isDisabled: true })).toBeNull();
  expect(await deleteEndpoint(store, byOperator, name)).toBeNull();
  expect(await rotateEndpointSecret(store, byOperator, name, () => randomBytes(60))).toBeNull();
  expect(await findEndpoint(store, theirs, publicId)).toMatchObject({ status: 'healthy' });
});

test('a redelivery goes to the named endpoint alone; an event shows its delivery to each', async () => {
  const projectId = await openProject();
  const first = await add(projectId, 'first.test', ['invoice.expired']);
  const further = await add(projectId, 'further.test', ['invoice.expired']);
  const [eventId = ''] = await cause(projectId, 'invoice.confirmed');
  expect((await getEvent(store, projectId, eventId))?.delivery.status).toBe('unsent');
  const to = { endpointId: further.publicId };
  expect(await redeliverEvent(store, byOperator, projectId, eventId, to)).toBe('scheduled');
  expect(await redeliverEvent(store, byOperator, projectId, eventId, to)).toBe('scheduled');
  expect(await getEvent(store, projectId, eventId)).toMatchObject({
    delivery: { status: 'pending' },
    deliveries: [{ endpointPublicId: further.publicId, status: 'pending' }],
  });
  expect(await redeliverEvent(store, byOperator, projectId, eventId)).toBe('scheduled');
  expect((await getEvent(store, projectId, eventId))?.deliveries).toMatchObject([
    { endpointPublicId: first.publicId },
    { endpointPublicId: further.publicId },
  ]);
  const unknown = { endpointId: 'we_unknown' };
  expect(await redeliverEvent(store, byOperator, projectId, eventId, unknown)).toBe('endpoint_not_found');
});

test.each([
  [
    'a redelivery',
    (projectId: bigint, eventId: string, endpointId: string) =>
      redeliverEvent(store, byOperator, projectId, eventId, { endpointId }),
  ],
  [
    'a replay',
    (projectId: bigint, _eventId: string, endpointId: string) =>
      replayEvents(store, byOperator, {
        projectId,
        endpointId,
        since: new Date(0),
        until: null,
        isUndeliveredOnly: true,
        after: null,
      }),
  ],
] as const)(
  '%s is not undone by an attempt that began before it and is the last one',
  async (_name, repeat) => {
    const projectId = await openProject();
    await add(projectId, 'first.test');
    const further = await add(projectId, 'further.test');
    const [eventId = ''] = await cause(projectId, 'invoice.confirmed');
    const [claimed] = await claimNextDeliveries(store, [{ endpointKey: further.key, limit: 1 }], taking());
    const { id: deliveryId, claim } = given(claimed);
    // As when it has failed before and is not due: the attempt in flight is the last of its schedule.
    await store.sql`update deliveries set next_attempt_at = now() + interval '1 hour' where id = ${deliveryId}`;
    await repeat(projectId, eventId, further.publicId);
    await recordAttempts(store, [
      {
        deliveryId,
        claim,
        url: further.url,
        startedAt: new Date(),
        durationMs: 1,
        httpStatus: 500,
        error: 'answered 500',
        responseExcerpt: null,
        plan: { kind: 'failed' },
      },
    ]);
    const event = given(await getEvent(store, projectId, eventId));
    expect(event.deliveries[1]).toMatchObject({ status: 'pending', attempts: 1 });
  },
);

test('old test events go with their deliveries to every endpoint', async () => {
  const projectId = await openProject();
  await add(projectId, 'first.test');
  await add(projectId, 'further.test');
  const [eventId = ''] = await cause(projectId, 'invoice.confirmed');
  await store.sql`update events set created_at = now() - interval '31 days' where public_id = ${eventId}`;
  await deleteOldTestEvents(store, 1000);
  expect(await store.sql`select from events where public_id = ${eventId}`).toHaveLength(0);
  expect(await store.sql`select from deliveries where project_id = ${projectId}`).toHaveLength(0);
});

test('a delivery that was claimed while its endpoint was disabled is due at once if it was enabled meanwhile', async () => {
  const projectId = await openProject();
  await add(projectId, 'shop.test');
  const further = await add(projectId, 'books.test');
  const name = { projectId, publicId: further.publicId };
  await changeEndpoint(store, byOperator, name, { isDisabled: true });
  await cause(projectId, 'invoice.confirmed');
  const [delivery] = await store.sql<{ id: bigint }[]>`
    update deliveries set claims = claims + 1, relay_at = now() + interval '20 seconds'
    where project_id = ${projectId} and endpoint_id is not null returning id`;
  const claimed = { id: given(delivery).id, claim: 1 };
  const parked = async () => {
    const [row] = await store.sql<{ isParked: boolean }[]>`
      select relay_at > now() + interval '1 minute' as "isParked" from deliveries where id = ${claimed.id}`;
    return row?.isParked;
  };
  await parkOrFailDelivery(store, claimed, 'parked');
  expect(await parked()).toBe(true);
  await changeEndpoint(store, byOperator, name, { isDisabled: false });
  expect(await parked()).toBe(false);
  await parkOrFailDelivery(store, claimed, 'parked');
  expect(await parked()).toBe(false);
});
