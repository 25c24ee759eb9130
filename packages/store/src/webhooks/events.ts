import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type AnySql } from '../postgres/database.ts';
import { DELIVERIES_CHANNEL } from './lease-deliveries.ts';
import type { Store } from '../store.ts';

/** An event to insert. `body` is the exact text that every attempt sends. */
export type NewEvent = {
  publicId: string;
  projectId: bigint;
  /** Null for a test event. */
  invoiceId: bigint | null;
  type: string;
  /** The transaction that a late_payment event reports, in hex; null for every other type. */
  txid: string | null;
  body: string;
  /** The id of the request that caused it, as in the log; absent if there was none. */
  requestId?: string | null;
};

/**
 * Inserts an event and, if the project has an endpoint, its delivery. Runs in the transaction that causes the event; relays are
 * notified at the commit. Returns false and changes nothing if this outcome already has its event.
 */
export async function insertEvent(tx: AnySql, event: NewEvent): Promise<boolean> {
  return (await insertEvents(tx, [event])).length > 0;
}

/** Inserts many events in one statement. Returns the public ids of the new ones. */
export async function insertEvents(tx: AnySql, events: readonly NewEvent[]): Promise<string[]> {
  if (events.length === 0) return [];
  // Ids are sent as text: postgres.js derives the type of an array from its first element.
  const rows = await tx<{ public_id: string }[]>`
    with given as (
      select * from unnest(
        ${events.map((e) => e.publicId)}::text[], ${events.map((e) => String(e.projectId))}::bigint[],
        ${events.map((e) => e.invoiceId?.toString() ?? null)}::bigint[], ${events.map((e) => e.type)}::text[],
        ${events.map((e) => e.txid)}::text[], ${events.map((e) => e.body)}::text[],
        ${events.map((e) => e.requestId ?? null)}::text[]
      ) as given (public_id, project_id, invoice_id, type, txid, body, request_id)
    ), event as (
      insert into events (public_id, project_id, invoice_id, type, txid, body)
      select public_id, project_id, invoice_id, type, decode(txid, 'hex'), body from given
      on conflict do nothing
      returning id, project_id, public_id
    ), delivery as (
      insert into deliveries (event_id, project_id, request_id)
      select event.id, event.project_id, given.request_id
      from event join given using (public_id) join webhook_endpoints w on w.project_id = event.project_id
      returning event_id
    )
    select event.public_id, pg_notify(${DELIVERIES_CHANNEL}, '')
    from event left join delivery on delivery.event_id = event.id`;
  return rows.map((row) => row.public_id);
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'unsent';

/** An event in a list. `unsent`: there was no endpoint, and nobody has requested a redelivery since. */
export type EventSummary = {
  /** Position for keyset pagination; grows with time. */
  id: bigint;
  publicId: string;
  type: string;
  /** Null for a test event. */
  invoicePublicId: string | null;
  createdAt: Date;
  delivery: {
    status: DeliveryStatus;
    attempts: number;
    nextAttemptAt: Date | null;
    deliveredAt: Date | null;
  };
};

export type EventDetail = EventSummary & { body: string; attempts: AttemptSummary[] };

/** One HTTP request and its result. `error` is null after a success. */
export type AttemptSummary = {
  number: number;
  url: string;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  responseExcerpt: string | null;
};

export type EventFilter = {
  type?: string | undefined;
  invoicePublicId?: string | undefined;
  status?: DeliveryStatus | undefined;
  /** Inclusive lower bound of the creation time. */
  since?: Date | undefined;
};

type EventSummaryRow = {
  id: bigint;
  public_id: string;
  type: string;
  invoice_public_id: string | null;
  created_at: Date;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
};

/** Lists a project's events, newest first, at most `limit`, only those before position `before` if it is given. */
export async function listEvents(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  page: EventFilter & { limit: number; before?: bigint | undefined },
): Promise<EventSummary[]> {
  const rows = await sql<EventSummaryRow[]>`
    select ${summaryColumns(sql)}
    from events e ${summaryJoins(sql)}
    where e.project_id = ${projectId}
      ${page.before === undefined ? sql`` : sql`and e.id < ${page.before}`}
      ${page.type === undefined ? sql`` : sql`and e.type = ${page.type}`}
      ${page.invoicePublicId === undefined ? sql`` : sql`and e.invoice_id = (select id from invoices where public_id = ${page.invoicePublicId})`}
      ${page.status === undefined ? sql`` : sql`and coalesce(d.status, 'unsent') = ${page.status}`}
      ${page.since === undefined ? sql`` : sql`and e.created_at >= ${page.since}`}
    order by e.id desc limit ${page.limit}`;
  return rows.map(toSummary);
}

/** The position of a project's event, to pass as `before` of the next page; null if the project has no such event. */
export async function findEventPosition(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  publicId: string,
): Promise<bigint | null> {
  const [row] = await sql<{ id: bigint }[]>`
    select id from events where public_id = ${publicId} and project_id = ${projectId}`;
  return row?.id ?? null;
}

/** Returns one event with its body and all attempts, oldest first; null if the project has no such event. */
export async function getEvent(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  publicId: string,
): Promise<EventDetail | null> {
  const [row] = await sql<(EventSummaryRow & { body: string; delivery_id: bigint | null })[]>`
    select ${summaryColumns(sql)}, e.body, d.id as delivery_id
    from events e ${summaryJoins(sql)}
    where e.public_id = ${publicId} and e.project_id = ${projectId}`;
  if (!row) return null;
  const attempts = row.delivery_id === null ? [] : await listAttempts(sql, row.delivery_id);
  return { ...toSummary(row), body: row.body, attempts };
}

function summaryColumns(sql: AnySql) {
  return sql`e.id, e.public_id, e.type, i.public_id as invoice_public_id, e.created_at,
    coalesce(d.status, 'unsent') as status, coalesce(d.attempts, 0) as attempts, d.next_attempt_at, d.delivered_at`;
}

function summaryJoins(sql: AnySql) {
  return sql`left join invoices i on i.id = e.invoice_id left join deliveries d on d.event_id = e.id`;
}

function toSummary(row: EventSummaryRow): EventSummary {
  return {
    id: row.id,
    publicId: row.public_id,
    type: row.type,
    invoicePublicId: row.invoice_public_id,
    createdAt: row.created_at,
    delivery: {
      status: row.status,
      attempts: row.attempts,
      nextAttemptAt: row.next_attempt_at,
      deliveredAt: row.delivered_at,
    },
  };
}

async function listAttempts(sql: AnySql, deliveryId: bigint): Promise<AttemptSummary[]> {
  return await sql<AttemptSummary[]>`
    select number, url, started_at as "startedAt", duration_ms as "durationMs", http_status as "httpStatus", error,
           response_excerpt as "responseExcerpt"
    from delivery_attempts where delivery_id = ${deliveryId} order by number`;
}

/** The result of a redelivery request. Nothing is sent to a missing or disabled endpoint. */
export type Redelivery = 'scheduled' | 'event_not_found' | 'no_endpoint' | 'endpoint_disabled';

/**
 * Sends an event again on a new schedule, whatever its state, including events that were never sent. Two requests before the
 * next attempt cause one delivery. `requestId` is the id of the request in the log.
 */
export async function redeliverEvent(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  publicId: string,
  requestId: string | null = null,
): Promise<Redelivery> {
  return inTransaction(store, async (sql) => {
    await authorize(sql);
    const [event] = await sql<{ id: bigint; endpoint_status: string | null }[]>`
    select e.id, w.status as endpoint_status
    from events e left join webhook_endpoints w using (project_id)
    where e.public_id = ${publicId} and e.project_id = ${projectId}`;
    if (!event) return 'event_not_found';
    if (event.endpoint_status === null) return 'no_endpoint';
    if (event.endpoint_status === 'disabled') return 'endpoint_disabled';
    await scheduleAnew(sql, { eventId: event.id, projectId, requestId });
    return 'scheduled';
  });
}

async function scheduleAnew(
  sql: AnySql,
  { eventId, projectId, requestId }: { eventId: bigint; projectId: bigint; requestId: string | null },
): Promise<void> {
  await sql`
    with scheduled as (
      insert into deliveries as d (event_id, project_id, request_id) values (${eventId}, ${projectId}, ${requestId})
      on conflict (event_id) do update set
        status = 'pending', failures = 0, delivered_at = null,
        schedule_started_at = now(), next_attempt_at = now(), relay_at = now(), request_id = excluded.request_id
      returning id
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '') from scheduled`;
}
