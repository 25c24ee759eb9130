import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { byOperator } from '../../src/accounts/authorize.ts';
import { DELIVERIES_CHANNEL } from '../../src/webhooks/lease-deliveries.ts';
import {
  getEvent,
  insertEvent,
  insertEvents,
  listEvents,
  redeliverEvent,
  type NewEvent,
} from '../../src/webhooks/events.ts';
import { inTransaction } from '../../src/postgres/database.ts';
import { setWebhookEndpoint } from '../../src/webhooks/webhook-endpoints.ts';
import { createChain, createProject, given, type TestProject } from '../support/fixtures.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const WRITER = fileURLToPath(new URL('../support/event-writer.ts', import.meta.url));

let store: TestStore;

beforeAll(async () => {
  store = await openTestStore();
  await createChain(store);
});
afterAll(() => store.close());

function eventOf(projectId: bigint, overrides: Partial<NewEvent> = {}): NewEvent {
  const publicId = `evt_${randomBytes(12).toString('hex')}`;
  const body = `{"id":"${publicId}","text":"\\u0000 ž \u2028 \\" '"}`;
  return { publicId, projectId, invoiceId: null, type: 'invoice.confirmed', txid: null, body, ...overrides };
}

async function setEndpoint(projectId: bigint): Promise<void> {
  await setWebhookEndpoint(store, byOperator, {
    projectId,
    url: 'https://shop.example/',
    secretSealed: randomBytes(60),
  });
}

async function invoiceOf(project: TestProject): Promise<{ id: bigint; publicId: string }> {
  const publicId = `inv_${randomBytes(8).toString('hex')}`;
  const [row] = await store.sql<{ id: bigint }[]>`
    insert into invoices (public_id, project_id, type, currency, pool_id, address_index, address, script, address_reused,
      expected_amount, confirmations_required, ttl_seconds, expires_at, deadline_at)
    values (${publicId}, ${project.projectId}, 'order', 'BTC', 1, 1, 'a', ${randomBytes(22)}, false, 1000, 1, 60, now(), now())
    returning id`;
  return { id: given(row).id, publicId };
}

test('an event is stored with the exact text of its body', async () => {
  const { projectId } = await createProject(store);
  const event = eventOf(projectId);
  await inTransaction(store, (tx) => insertEvent(tx, event));
  expect(await getEvent(store, projectId, event.publicId)).toMatchObject({
    body: event.body,
    attempts: [],
    invoicePublicId: null,
    delivery: { status: 'unsent', attempts: 0, nextAttemptAt: null, deliveredAt: null },
  });
});

test('a process killed while writing an outcome leaves all or nothing; another process writes it once', async () => {
  const project = await createProject(store);
  const { projectId } = project;
  await setEndpoint(projectId);
  const { id: invoiceId, publicId } = await invoiceOf(project);
  const lost = eventOf(projectId, { invoiceId, type: 'invoice.expired' });
  const writer = spawn(
    process.execPath,
    [WRITER, store.databaseUrl, String(projectId), String(invoiceId), lost.publicId],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [said] = await once(writer.stdout, 'data');
  expect(String(said)).toBe('written');
  writer.kill('SIGKILL');
  await once(writer, 'exit');

  // The next one waits on the row until Postgres has noticed the death of the first.
  const again = eventOf(projectId, { invoiceId, type: 'invoice.expired' });
  await inTransaction(store, async (tx) => {
    const [row] = await tx`select status, version from invoices where id = ${invoiceId} for update`;
    expect(row).toEqual({ status: 'new', version: 1 });
    expect(await insertEvent(tx, again)).toBe(true);
  });
  expect(await getEvent(store, projectId, lost.publicId)).toBeNull();
  const events = await listEvents(store, projectId, { limit: 10, invoicePublicId: publicId });
  expect(events.map((event) => [event.publicId, event.delivery.status])).toEqual([
    [again.publicId, 'pending'],
  ]);
  expect(await store.sql`select 1 from deliveries where project_id = ${projectId}`).toHaveLength(1);
});

test('with an endpoint the event is due immediately, and relays are notified at commit', async () => {
  const { projectId } = await createProject(store);
  await setEndpoint(projectId);
  let notified = 0;
  const { unlisten } = await store.sql.listen(DELIVERIES_CHANNEL, () => (notified += 1));
  const event = eventOf(projectId);
  await inTransaction(store, async (tx) => {
    await insertEvent(tx, event);
    await store.sql`select 1`;
    expect(notified).toBe(0);
  });
  await expect.poll(() => notified).toBe(1);
  await unlisten();
  expect((await getEvent(store, projectId, event.publicId))?.delivery.status).toBe('pending');
});

test('an event of a rolled back transaction does not exist', async () => {
  const { projectId } = await createProject(store);
  await setEndpoint(projectId);
  const event = eventOf(projectId);
  const failed = store.sql.begin(async (tx) => {
    await insertEvent(tx, event);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  expect(await getEvent(store, projectId, event.publicId)).toBeNull();
});

test('an outcome has one event however often it is written; late payments have one per transaction', async () => {
  const project = await createProject(store);
  const { projectId } = project;
  const { id: invoiceId } = await invoiceOf(project);
  const late = (txid: string) => eventOf(projectId, { invoiceId, type: 'invoice.late_payment', txid });
  const [one, two] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const expired = { invoiceId, type: 'invoice.expired' };

  const first = await insertEvents(store.sql, [eventOf(projectId, expired), late(one), late(two)]);
  expect(first).toHaveLength(3);
  expect(await insertEvents(store.sql, [eventOf(projectId, expired), late(one), late(two)])).toEqual([]);
  expect(await insertEvent(store.sql, eventOf(projectId, expired))).toBe(false);
  expect(await listEvents(store, projectId, { limit: 10 })).toHaveLength(3);
});

test('events of a test have no invoice and may repeat, whatever their type', async () => {
  const { projectId } = await createProject(store);
  for (const type of ['webhook.test', 'invoice.confirmed', 'invoice.confirmed', 'invoice.late_payment'])
    expect(await insertEvent(store.sql, eventOf(projectId, { type }))).toBe(true);
});

test('events are listed newest first, in pages without gaps or repetitions, by type and by invoice', async () => {
  const project = await createProject(store);
  const { projectId } = project;
  const invoice = await invoiceOf(project);
  const stranger = await createProject(store);
  await insertEvent(store.sql, eventOf(stranger.projectId));
  const events = [
    eventOf(projectId, { type: 'invoice.expired' }),
    eventOf(projectId, { type: 'invoice.confirmed', invoiceId: invoice.id }),
    eventOf(projectId, { type: 'invoice.underpaid' }),
    eventOf(projectId, { type: 'invoice.confirmed' }),
    eventOf(projectId, { type: 'invoice.expired', invoiceId: invoice.id }),
  ];
  for (const event of events) await insertEvent(store.sql, event);
  const newestFirst = events.map((event) => event.publicId).toReversed();

  const paged: string[] = [];
  for (let before: bigint | undefined; ;) {
    const page = await listEvents(store, projectId, { limit: 2, before });
    paged.push(...page.map((event) => event.publicId));
    before = page.at(-1)?.id;
    if (page.length < 2) break;
  }
  expect(paged).toEqual(newestFirst);

  const confirmed = await listEvents(store, projectId, { limit: 9, type: 'invoice.confirmed' });
  expect(confirmed.map((event) => event.publicId)).toEqual([events[3]?.publicId, events[1]?.publicId]);
  const ofInvoice = await listEvents(store, projectId, { limit: 9, invoicePublicId: invoice.publicId });
  expect(ofInvoice.map((event) => event.publicId)).toEqual([events[4]?.publicId, events[1]?.publicId]);
  expect(ofInvoice[0]?.invoicePublicId).toBe(invoice.publicId);
  expect(
    await listEvents(store, stranger.projectId, { limit: 9, invoicePublicId: invoice.publicId }),
  ).toEqual([]);
});

test('an event of another project is not found', async () => {
  const [owner, stranger] = [await createProject(store), await createProject(store)];
  await setEndpoint(stranger.projectId);
  const event = eventOf(owner.projectId);
  await insertEvent(store.sql, event);
  expect(await getEvent(store, stranger.projectId, event.publicId)).toBeNull();
  expect(await redeliverEvent(store, byOperator, stranger.projectId, event.publicId)).toBe('event_not_found');
});

test('a redelivery needs an endpoint; asked for twice it is scheduled once', async () => {
  const { projectId } = await createProject(store);
  const event = eventOf(projectId);
  await insertEvent(store.sql, event);
  expect(await redeliverEvent(store, byOperator, projectId, event.publicId)).toBe('no_endpoint');
  await setEndpoint(projectId);
  expect(await redeliverEvent(store, byOperator, projectId, event.publicId)).toBe('scheduled');
  expect(await redeliverEvent(store, byOperator, projectId, event.publicId)).toBe('scheduled');
  const rows = await store.sql`select 1 from deliveries where project_id = ${projectId}`;
  expect(rows).toHaveLength(1);
});
