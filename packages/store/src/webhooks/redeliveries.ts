import type { AnySql, Database } from '../postgres/database.ts';
import { deliveryConflict, deliveryKey, isDeliveryTo, isFirstEndpoint } from './delivery-key.ts';
import { DELIVERIES_CHANNEL } from './lease-deliveries.ts';
import type { DeliveryStatus } from './events.ts';

/** The events of a project to redeliver. */
export type RedeliveryRequest = {
  projectId: bigint;
  /** The key of the endpoint that they go to; the first one if absent. */
  endpointKey?: bigint;
  since: Date;
  /** Exclusive upper bound of the creation time; null for none. */
  until: Date | null;
  type: string | null;
  /** Only these types; null or absent for all. */
  types?: readonly string[] | null;
  statuses: readonly DeliveryStatus[];
};

/** A redelivery in progress: the first event, and when the run started by the clock of Postgres. */
export type RedeliveryRun = RedeliveryRequest & { firstEventId: bigint; began: Date };

/** An event carries the start time of its transaction, but its id is assigned at the insert, up to this much later. */
const LONGEST_TRANSACTION_SECONDS = 60;

/** Starts a run; null if the project has no event in the range. */
export async function beginRedeliveries(
  { sql }: { sql: AnySql },
  request: RedeliveryRequest,
): Promise<RedeliveryRun | null> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) throw new Error('Postgres returned no time');
  const firstEventId = await findFirstEvent(sql, request);
  return firstEventId === null ? null : { ...request, firstEventId, began: row.now };
}

/**
 * The first event of a project that may be in the range, by bisection: there is no index on the time, but ids grow with it. Costs
 * one index lookup for each bit of the id, whatever the history.
 */
async function findFirstEvent(
  sql: AnySql,
  { projectId, since }: Pick<RedeliveryRequest, 'projectId' | 'since'>,
): Promise<bigint | null> {
  const earliestMs = since.getTime() - LONGEST_TRANSACTION_SECONDS * 1000;
  let first: bigint | null = null;
  const [bounds] = await sql<{ low: bigint | null; high: bigint | null }[]>`
    select (select id from events where project_id = ${projectId} order by id limit 1) as low,
      (select id from events where project_id = ${projectId} order by id desc limit 1) as high`;
  for (let [low, high] = [bounds?.low ?? 1n, bounds?.high ?? 0n]; low <= high;) {
    const middle = (low + high) / 2n;
    const event = await findNextEvent(sql, projectId, middle);
    if (event !== null && event.createdAt.getTime() < earliestMs) low = event.id + 1n;
    else [first, high] = [event?.id ?? first, middle - 1n];
  }
  return first;
}

async function findNextEvent(
  sql: AnySql,
  projectId: bigint,
  from: bigint,
): Promise<{ id: bigint; createdAt: Date } | null> {
  const [event] = await sql<{ id: bigint; createdAt: Date }[]>`
    select id, created_at as "createdAt" from events
    where project_id = ${projectId} and id >= ${from} order by id limit 1`;
  return event ?? null;
}

/** Counts the events that a run still has to schedule. */
export async function countRedeliverable(
  { sql }: Pick<Database, 'sql'>,
  run: RedeliveryRun,
): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(*)::int as count from (${wanted(sql, run, 0n)}) w`;
  return row?.count ?? 0;
}

/**
 * The number of scheduled deliveries and the id of the last event, where the next batch continues; null when the run is
 * complete.
 */
export type RedeliveryBatch = { scheduled: number; lastEventId: bigint | null };

/**
 * Schedules up to `limit` events of the run again, oldest first, each once. Skips events that already wait to be sent. Two
 * concurrent runs schedule an event once.
 */
export async function scheduleRedeliveries(
  { sql }: { sql: AnySql },
  run: RedeliveryRun,
  { after, limit }: { after: bigint; limit: number },
): Promise<RedeliveryBatch> {
  const { endpointKey: key = run.projectId } = run;
  const isFirst = isFirstEndpoint(key);
  const [row] = await sql<RedeliveryBatch[]>`
    with wanted as materialized (${wanted(sql, run, after)} order by e.id limit ${limit}),
    scheduled as (
      insert into deliveries as d (event_id, further_event_id, endpoint_id, project_id)
      select ${isFirst ? sql`id, null::bigint, null::bigint` : sql`null::bigint, id, ${-key}::bigint`}, ${run.projectId}::bigint
      from wanted order by id
      on conflict ${deliveryConflict(sql, key)} do update set
        status = 'pending', failures = 0, delivered_at = null, claims = d.claims + 1,
        schedule_started_at = now(), next_attempt_at = now(), relay_at = now()
      -- Checked again on the locked row.
      where ${isUntouched(sql, run)}
      returning id
    ), logged as (
      select pg_notify(${DELIVERIES_CHANNEL}, '') from scheduled limit 1
    )
    select (select count(*)::int from scheduled) as scheduled, (select max(id) from wanted) as "lastEventId",
      (select count(*) from logged)`;
  return { scheduled: row?.scheduled ?? 0, lastEventId: row?.lastEventId ?? null };
}

function wanted(sql: AnySql, run: RedeliveryRun, after: bigint) {
  const { endpointKey: key = run.projectId, types = null } = run;
  return sql`
    select e.id from events e left join deliveries d on ${isDeliveryTo(sql, key)}
    where e.project_id = ${run.projectId} and e.id >= ${run.firstEventId} and e.id > ${after}
      and e.created_at >= ${run.since} and e.created_at < ${run.until ?? run.began}
      and (${run.type}::text is null or e.type = ${run.type})
      ${types === null ? sql`` : sql`and e.type = any (${[...types]}::text[])`}
      and coalesce(d.status, 'unsent') = any (${[...run.statuses]}::text[])
      and (d.id is null or (${isUntouched(sql, run)}))`;
}

/** Neither sent nor rescheduled since the run started, and not due anyway. */
function isUntouched(sql: AnySql, { began }: RedeliveryRun) {
  return sql`d.schedule_started_at < ${began} and (d.delivered_at is null or d.delivered_at < ${began})
    and not (d.status = 'pending' and d.next_attempt_at <= now())`;
}

/** Counts the deliveries that wait for an endpoint, up to `most`. */
export async function countWaitingDeliveries(
  { sql }: { sql: AnySql },
  endpointKey: bigint,
  most: number,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from deliveries where ${deliveryKey(sql)} = ${endpointKey} and status = 'pending' limit ${most}
    ) waiting`;
  return row?.count ?? 0;
}

/** Counts the deliveries to a project's first endpoint that could be sent now. */
export async function countDueDeliveries({ sql }: Pick<Database, 'sql'>, projectId: bigint): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from deliveries
    where ${deliveryKey(sql)} = ${projectId} and status = 'pending' and next_attempt_at <= now()`;
  return row?.count ?? 0;
}

/** The deliveries that wait for one endpoint. */
export type DeliveryBacklog = {
  email: string;
  /** Null if there is no endpoint any more. */
  url: string | null;
  status: 'healthy' | 'failing' | 'disabled' | null;
  failingSince: Date | null;
  /** Neither delivered nor failed. */
  pending: number;
  /** Of these, due now. */
  due: number;
  nextAttemptAt: Date | null;
};

/** Endpoints with waiting deliveries, and unhealthy ones, those that have waited longest first. */
export async function listDeliveryBacklogs(
  { sql }: Pick<Database, 'sql'>,
  limit: number,
): Promise<DeliveryBacklog[]> {
  return sql<DeliveryBacklog[]>`
    with backlog as (
      select ${deliveryKey(sql)} as key, min(project_id) as project_id, count(*)::int as pending, count(*) filter (where next_attempt_at <= now())::int as due,
        min(next_attempt_at) as next_attempt_at
      from deliveries where status = 'pending' group by 1
    )
    select a.email, w.url, w.status, w.failing_since as "failingSince", coalesce(b.pending, 0) as pending,
      coalesce(b.due, 0) as due, b.next_attempt_at as "nextAttemptAt"
    from backlog b
    full join (select * from webhook_endpoints where status <> 'healthy') unhealthy on unhealthy.key = b.key
    join projects p on p.id = coalesce(b.project_id, unhealthy.owner_id)
    join accounts a on a.id = p.account_id
    left join webhook_endpoints w on w.key = coalesce(b.key, unhealthy.key)
    order by b.next_attempt_at nulls last, p.id
    limit ${limit}`;
}
