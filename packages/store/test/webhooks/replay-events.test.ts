import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { changeEndpoint } from '../../src/webhooks/change-endpoint.ts';
import { createEndpoint } from '../../src/webhooks/create-endpoint.ts';
import { insertEvents, listEvents } from '../../src/webhooks/events.ts';
import { beginRedeliveries } from '../../src/webhooks/redeliveries.ts';
import { replayEvents, type Replay, type ReplayOutcome } from '../../src/webhooks/replay-events.ts';
import { createProject, given } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

let store: TestStore;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY);
const seal = () => randomBytes(60);

/** A project with one event for each of the last ten days, oldest first, and an endpoint that was added afterwards. */
async function openHistory(eventTypes: string[] | null = null) {
  const { projectId } = await createProject(store);
  const add = async (host: string, types: string[] | null) => {
    const publicId = `we_${randomBytes(12).toString('hex')}`;
    const terms = { url: `https://${host}/`, description: '', eventTypes: types };
    return given(await createEndpoint(store, byOperator, { ...terms, projectId, publicId, seal }));
  };
  const first = await add('first.test', ['none']);
  const ids = await insertEvents(
    store.sql,
    Array.from({ length: 10 }, (_, index) => ({
      publicId: `evt_${randomBytes(12).toString('hex')}`,
      projectId,
      invoiceId: null,
      type: index % 2 === 0 ? 'invoice.confirmed' : 'invoice.expired',
      txid: null,
      body: '{}',
    })),
  );
  for (const [index, id] of ids.entries())
    await store.sql`update events set created_at = ${daysAgo(10 - index)} where public_id = ${id}`;
  return { projectId, ids, first, endpoint: await add('further.test', eventTypes) };
}

type History = Awaited<ReturnType<typeof openHistory>>;

const replay = ({ projectId, endpoint }: History, terms: Partial<Replay> = {}) =>
  replayEvents(store, byOperator, {
    projectId,
    endpointId: endpoint.publicId,
    since: daysAgo(100),
    until: null,
    isUndeliveredOnly: false,
    after: null,
    ...terms,
  });

const scheduled = (outcome: ReplayOutcome) => (outcome.kind === 'scheduled' ? outcome.batch.scheduled : null);

/** Ids of the events that wait for the endpoint, oldest first. */
async function waiting({ projectId, endpoint }: History): Promise<string[]> {
  const events = await listEvents(store, projectId, { endpointKey: endpoint.key, limit: 100 });
  return events.map(({ publicId }) => publicId).toReversed();
}

test('a replay schedules the events of the range for this endpoint alone', async () => {
  const history = await openHistory();
  const outcome = await replay(history, { since: daysAgo(7.5), until: daysAgo(3.5) });
  expect(outcome).toMatchObject({ kind: 'scheduled', batch: { scheduled: 4, waiting: 4 } });
  expect(await waiting(history)).toEqual(history.ids.slice(3, 7));
  const others = await listEvents(store, history.projectId, { endpointKey: history.first.key, limit: 10 });
  expect(others).toEqual([]);
});

test('it schedules only the types that the endpoint wants', async () => {
  const history = await openHistory(['invoice.expired']);
  expect(scheduled(await replay(history))).toBe(5);
  expect(await waiting(history)).toEqual(history.ids.filter((_, index) => index % 2 === 1));
});

test('the next call goes on after the last event, and the last one says that the range is complete', async () => {
  const history = await openHistory();
  const [, , third = ''] = history.ids;
  const rest = await replay(history, { after: third });
  expect(rest).toMatchObject({ batch: { scheduled: 7, next: history.ids.at(-1) } });
  expect(await replay(history, { after: history.ids.at(-1) ?? '' })).toMatchObject({
    batch: { scheduled: 0, next: null },
  });
});

test('a repeat schedules nothing again that waits; delivered events can be left out', async () => {
  const history = await openHistory();
  expect(scheduled(await replay(history))).toBe(10);
  expect(scheduled(await replay(history))).toBe(0);
  await store.sql`
    update deliveries set status = 'delivered', next_attempt_at = null, delivered_at = now()
    where project_id = ${history.projectId}`;
  expect(scheduled(await replay(history, { isUndeliveredOnly: true }))).toBe(0);
  expect(scheduled(await replay(history))).toBe(10);
});

test('an unknown or disabled endpoint, an unknown cursor, and an endpoint with a long backlog schedule nothing', async () => {
  const history = await openHistory();
  const stranger = await openHistory();
  expect((await replay(history, { endpointId: stranger.endpoint.publicId })).kind).toBe('endpoint_not_found');
  expect((await replay(history, { after: stranger.ids[0] ?? '' })).kind).toBe('unknown_cursor');
  const name = { projectId: history.projectId, publicId: history.endpoint.publicId };
  await changeEndpoint(store, byOperator, name, { isDisabled: true });
  expect((await replay(history)).kind).toBe('endpoint_disabled');
  await changeEndpoint(store, byOperator, name, { isDisabled: false });
  await store.sql`
    with event as (
      insert into events (public_id, project_id, type, body)
      select 'evt_' || gen_random_uuid(), ${history.projectId}, 'invoice.expired', '{}' from generate_series(1, 5000)
      returning id, project_id
    )
    insert into deliveries (further_event_id, endpoint_id, project_id)
    select id, ${-history.endpoint.key}::bigint, project_id from event`;
  expect((await replay(history)).kind).toBe('busy');
});

test('a run starts at the first event of the range, wherever it lies in the history', async () => {
  const { projectId, ids } = await openHistory();
  for (const [index, id] of ids.entries()) {
    const request = { projectId, until: null, type: null, statuses: ['unsent'] as const };
    const run = await beginRedeliveries(store, { ...request, since: daysAgo(10 - index + 0.5) });
    const [event] = await store.sql<{ id: bigint }[]>`select id from events where public_id = ${id}`;
    expect(run?.firstEventId).toBe(given(event).id);
  }
  const future = { projectId, until: null, type: null, statuses: ['unsent'] as const };
  expect(await beginRedeliveries(store, { ...future, since: new Date(Date.now() + DAY) })).toBeNull();
});
