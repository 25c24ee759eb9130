import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type AnySql } from '../postgres/database.ts';
import { deliveryConflict, deliveryKey, deliveryTarget, isDeliveryTo } from './delivery-key.ts';
import { DELIVERIES_CHANNEL } from './lease-deliveries.ts';
import type { Store } from '../store.ts';
import type { EndpointStatus } from './webhook-endpoints.ts';

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
  /** The key of the one endpoint that gets it, whatever types that endpoint wants; absent for all that want its type. */
  onlyEndpoint?: bigint;
};

/**
 * Inserts an event and its delivery to each endpoint of the project that wants its type. Runs in the transaction that causes
 * the event; relays are notified at the commit. Returns false and changes nothing if this outcome already has its event.
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
        ${events.map((e) => e.requestId ?? null)}::text[], ${events.map((e) => e.onlyEndpoint?.toString() ?? null)}::bigint[]
      ) as given (public_id, project_id, invoice_id, type, txid, body, request_id, endpoint_key)
    ), event as (
      insert into events (public_id, project_id, invoice_id, type, txid, body)
      select public_id, project_id, invoice_id, type, decode(txid, 'hex'), body from given
      on conflict do nothing
      returning id, project_id, public_id, type
    ), delivery as (
      insert into deliveries (event_id, further_event_id, endpoint_id, project_id, request_id)
      select case when w.project_id is not null then event.id end, case when w.project_id is null then event.id end,
        case when w.project_id is null then w.id end, event.project_id, given.request_id
      from event join given using (public_id) join webhook_endpoints w on w.owner_id = event.project_id
      where case when given.endpoint_key is null then w.event_types is null or event.type = any (w.event_types)
        else w.key = given.endpoint_key end
    )
    select public_id, pg_notify(${DELIVERIES_CHANNEL}, '') from event`;
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

export type EventDetail = EventSummary & {
  body: string;
  /** One for each endpoint that the event went to; the first endpoint's before the others. */
  deliveries: EndpointDelivery[];
  attempts: AttemptSummary[];
};

/** The delivery of an event to one endpoint. */
type EndpointDelivery = EventSummary['delivery'] & {
  id: bigint;
  /** Null if the endpoint was deleted. */
  endpointPublicId: string | null;
};

/** One HTTP request and its result. `error` is null after a success. */
export type AttemptSummary = {
  deliveryId: bigint;
  /** Null if the endpoint was deleted. */
  endpointPublicId: string | null;
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
  /** The key of an endpoint: only events that went to it, with that delivery. */
  endpointKey?: bigint | undefined;
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
    from events e ${page.endpointKey === undefined ? summaryJoins(sql) : endpointJoins(sql, page.endpointKey)}
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
  { sql }: { sql: AnySql },
  projectId: bigint,
  publicId: string,
): Promise<bigint | null> {
  const [row] = await sql<{ id: bigint }[]>`
    select id from events where public_id = ${publicId} and project_id = ${projectId}`;
  return row?.id ?? null;
}

/** Returns one event with its body and all attempts, oldest first; null if the project has no such event. */
export async function getEvent(
  { sql }: { sql: AnySql },
  projectId: bigint,
  publicId: string,
): Promise<EventDetail | null> {
  const [row] = await sql<(EventSummaryRow & { body: string })[]>`
    select ${summaryColumns(sql)}, e.body
    from events e ${summaryJoins(sql)}
    where e.public_id = ${publicId} and e.project_id = ${projectId}`;
  if (!row) return null;
  const deliveries = await listEndpointDeliveries(sql, row.id);
  return { ...toSummary(row), body: row.body, deliveries, attempts: await listAttempts(sql, deliveries) };
}

function summaryColumns(sql: AnySql) {
  return sql`e.id, e.public_id, e.type, i.public_id as invoice_public_id, e.created_at,
    coalesce(d.status, 'unsent') as status, coalesce(d.attempts, 0) as attempts, d.next_attempt_at, d.delivered_at`;
}

/** The delivery to the first endpoint; if there is none, one to another endpoint. */
function summaryJoins(sql: AnySql) {
  return sql`
    left join invoices i on i.id = e.invoice_id
    left join lateral (
      select * from deliveries where event_id = e.id union all select * from deliveries where further_event_id = e.id limit 1
    ) d on true`;
}

function endpointJoins(sql: AnySql, key: bigint) {
  return sql`left join invoices i on i.id = e.invoice_id join deliveries d on ${isDeliveryTo(sql, key)}`;
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

async function listEndpointDeliveries(sql: AnySql, eventId: bigint): Promise<EndpointDelivery[]> {
  return await sql<EndpointDelivery[]>`
    select d.id, w.public_id as "endpointPublicId", d.status, d.attempts, d.next_attempt_at as "nextAttemptAt",
      d.delivered_at as "deliveredAt"
    from (
      select * from deliveries where event_id = ${eventId} union all select * from deliveries where further_event_id = ${eventId}
    ) d
    left join webhook_endpoints w on w.key = ${deliveryKey(sql, 'd')}
    order by d.endpoint_id nulls first`;
}

/** At most 1,000: a hundred for each of ten endpoints. */
async function listAttempts(sql: AnySql, deliveries: readonly EndpointDelivery[]): Promise<AttemptSummary[]> {
  if (deliveries.length === 0) return [];
  const rows = await sql<Omit<AttemptSummary, 'endpointPublicId'>[]>`
    select delivery_id as "deliveryId", number, url, started_at as "startedAt", duration_ms as "durationMs",
      http_status as "httpStatus", error, response_excerpt as "responseExcerpt"
    from delivery_attempts where delivery_id = any (${deliveries.map(({ id }) => String(id))}::bigint[])
    order by number, started_at`;
  const endpoints = new Map(deliveries.map(({ id, endpointPublicId }) => [id, endpointPublicId]));
  return rows.map((row) => ({ ...row, endpointPublicId: endpoints.get(row.deliveryId) ?? null }));
}

/** The result of a redelivery request. Nothing is sent to a missing or disabled endpoint. */
export type Redelivery =
  'scheduled' | 'event_not_found' | 'no_endpoint' | 'endpoint_not_found' | 'endpoint_disabled';

/**
 * Sends an event again on a new schedule, whatever its state, including events that were never sent. Two requests before the
 * next attempt cause one delivery. `requestId` is the id of the request in the log, `endpointId` the public id of the endpoint; see
 * `findReceiver`.
 */
export async function redeliverEvent(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  projectId: bigint,
  publicId: string,
  { requestId = null, endpointId = null }: { requestId?: string | null; endpointId?: string | null } = {},
): Promise<Redelivery> {
  return inTransaction(store, async (sql) => {
    await authorize(sql);
    const eventId = await findEventPosition({ sql }, projectId, publicId);
    if (eventId === null) return 'event_not_found';
    const endpoint = await findReceiver(sql, projectId, endpointId);
    if (endpoint === null) return endpointId === null ? 'no_endpoint' : 'endpoint_not_found';
    if (endpoint.status === 'disabled') return 'endpoint_disabled';
    await scheduleAnew(sql, { eventId, endpointKey: endpoint.key, projectId, requestId });
    return 'scheduled';
  });
}

/** The endpoint with this id; without an id the first one, or else the oldest. */
export async function findReceiver(
  sql: AnySql,
  projectId: bigint,
  endpointId: string | null,
): Promise<{ key: bigint; status: EndpointStatus } | null> {
  const [endpoint] = await sql<{ key: bigint; status: EndpointStatus }[]>`
    select key, status from webhook_endpoints
    where owner_id = ${projectId} and (${endpointId}::text is null or public_id = ${endpointId})
    order by project_id nulls last, id limit 1`;
  return endpoint ?? null;
}

async function scheduleAnew(
  sql: AnySql,
  {
    eventId,
    endpointKey: key,
    projectId,
    requestId,
  }: { eventId: bigint; endpointKey: bigint; projectId: bigint; requestId: string | null },
): Promise<void> {
  const target = deliveryTarget(eventId, key);
  await sql`
    with scheduled as (
      insert into deliveries as d (event_id, further_event_id, endpoint_id, project_id, request_id)
      values (${target.eventId}, ${target.furtherEventId}, ${target.endpointId}, ${projectId}, ${requestId})
      on conflict ${deliveryConflict(sql, key)} do update set
        status = 'pending', failures = 0, delivered_at = null, claims = d.claims + 1,
        schedule_started_at = now(), next_attempt_at = now(), relay_at = now(), request_id = excluded.request_id
      returning id
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '') from scheduled`;
}
