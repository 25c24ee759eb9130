import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../postgres/database.ts';
import type { EndpointStatus } from './webhook-endpoints.ts';
import type { Store } from '../store.ts';

/** NOTIFY channel: some delivery may be due. Carries nothing; whoever listens reads the table. */
export const DELIVERIES_CHANNEL = 'paywatch_deliveries';

/** How long a delivery rests whose endpoint is disabled. Setting the endpoint wakes it; this is for a wake that was lost. */
const PARKED_SECONDS = 600;

/**
 * Calls `onWake` when a delivery may be due, and after each (re)connection, since a notification may have been missed.
 * Needs a poll behind it: between a lost connection and its discovery nothing is heard.
 */
export async function listenForDeliveries(
  { direct }: Pick<Store, 'direct'>,
  onWake: () => void,
): Promise<{ stop(): Promise<void> }> {
  const { unlisten } = await direct.listen(DELIVERIES_CHANNEL, onWake, onWake);
  return { stop: unlisten };
}

/**
 * A delivery for the queue. `claims` so far make the job's id differ from one that a worker has taken and not ended. `isOverdue`:
 * it was to be sent before now, and comes round again; its job may be lost.
 */
export type DueDelivery = {
  id: bigint;
  projectId: bigint;
  claims: number;
  requestId: string | null;
  isOverdue: boolean;
};

/** Under which name deliveries are taken, and for how long. The name is for one call and its repetitions. */
export type Taking = { token: string; leaseSeconds: number };

/**
 * Takes up to `limit` due deliveries: those that have waited longest, and for a fifth of `limit` the newest, so that nobody
 * waits until the backlog of others is through. They come round again after `leaseSeconds` unless a worker reports on them;
 * other relays pass over them until then. What is claimed is passed over, and so are deliveries of the projects in `pulled`
 * that have not waited for long: those are on their way without a relay, and to take each would cost as much as to send it.
 */
export async function takeDueDeliveries(
  { sql }: Pick<Store, 'sql'>,
  { limit, token, leaseSeconds, pulled = [] }: Taking & { limit: number; pulled?: readonly string[] },
): Promise<DueDelivery[]> {
  const newest = Math.floor(limit / 5);
  // A limit that the planner cannot read: where it believes that few rows are due it would read and sort them all.
  const isDue = sql`d.status = 'pending' and d.relay_at <= now()`;
  const take = (order: PendingQuery<Row[]>, most: number) => sql`
    select d.id, d.relay_at > d.next_attempt_at + interval '1 second' as is_overdue
    from (
      select d.id, d.project_id, d.relay_at from deliveries d
      where ${isDue} and (d.claimed_until is null or d.claimed_until <= now())
      order by ${order} limit (select ${MOST_LOOKED_AT}::int)
    ) seen join deliveries d on d.id = seen.id
    where ${isDue} and (
      seen.relay_at <= now() - make_interval(secs => ${PULLED_WITHIN_SECONDS})
      or seen.project_id not in (select unnest(${pulled}::bigint[])))
    order by seen.${order} limit ${most} for update of d skip locked`;
  return await sql<DueDelivery[]>`
    with oldest as (${take(sql`relay_at`, limit - newest)}), newest as (${take(sql`relay_at desc`, newest)})
    update deliveries d set relay_at = now() + make_interval(secs => ${leaseSeconds}), taken_by = ${token}
    from (select * from oldest union select * from newest) due where d.id = due.id
    returning d.id, d.project_id as "projectId", d.claims, d.request_id as "requestId", due.is_overdue as "isOverdue"`;
}

/** What waits for longer is taken after all: its worker may have been killed, or its endpoint hang. */
const PULLED_WITHIN_SECONDS = 10;
/** A take reads no more rows than this, however many there are to pass over: those behind them become old soon. */
const MOST_LOOKED_AT = 2000;

/** What {@link takeDueDeliveries} took with this token and nobody has taken since: for an answer that was lost. */
export async function findTakenDeliveries(
  { sql }: Pick<Store, 'sql'>,
  token: string,
): Promise<DueDelivery[]> {
  return await sql<DueDelivery[]>`
    select id, project_id as "projectId", claims, request_id as "requestId", false as "isOverdue" from deliveries
    where status = 'pending' and relay_at > now() and taken_by = ${token}`;
}

/** Seconds that the delivery which has waited longest for a relay is overdue; 0 when none is. */
export async function measureRelayLag({ sql }: Pick<Store, 'sql'>): Promise<number> {
  const [row] = await sql<{ lag: number }[]>`
    select coalesce(extract(epoch from now() - min(relay_at)), 0)::float8 as lag
    from deliveries
    where status = 'pending' and relay_at <= now() and (claimed_until is null or claimed_until <= now())`;
  return row?.lag ?? 0;
}

/** All that one attempt needs, and the right to make it. Times are Postgres' own, in epoch milliseconds. */
export type ClaimedDelivery = {
  id: bigint;
  /** Number of the claim; the report of an earlier one plans nothing. */
  claim: number;
  claimedAtMs: number;
  /** When the attempt was to be made. */
  dueMs: number;
  scheduleStartedMs: number;
  /** Failures since the schedule began. */
  failures: number;
  projectId: bigint;
  eventPublicId: string;
  body: string;
  /** The request behind it, as the log knows it; null where there was none. */
  requestId: string | null;
  endpoint: ClaimedEndpoint | null;
};

/** The endpoint of this moment. The previous secret is null once its 24 hours are over. */
export type ClaimedEndpoint = {
  url: string;
  secretSealed: Uint8Array;
  previousSecretSealed: Uint8Array | null;
  status: EndpointStatus;
  version: number;
};

type ClaimedRow = {
  id: bigint;
  claims: number;
  claimed_at: Date;
  due_at: Date;
  schedule_started_at: Date;
  failures: number;
  project_id: bigint;
  event_public_id: string;
  body: string;
  request_id: string | null;
  url: string | null;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
  endpoint_status: EndpointStatus;
  endpoint_version: number;
};

/**
 * Claims those of the deliveries that are due and that nobody else has claimed, for `leaseSeconds`. In any order; the
 * ones that are missing are delivered, planned for later, or in other hands. Repeated with the same token, it gives the
 * same claims: for an answer that was lost.
 */
export function claimDeliveries(
  { sql }: Pick<Store, 'sql'>,
  ids: readonly bigint[],
  taking: Taking,
): Promise<ClaimedDelivery[]> {
  const free = sql`
    select id from deliveries
    where id = any (${ids.map(String)}::bigint[]) and ${isClaimable(sql, taking)}
    for update skip locked`;
  return claim(sql, free, taking);
}

/** The same for up to `limit` of each project's due deliveries, those first that have waited longest. */
export function claimNextDeliveries(
  { sql }: Pick<Store, 'sql'>,
  wanted: readonly { projectId: bigint; limit: number }[],
  taking: Taking,
): Promise<ClaimedDelivery[]> {
  // Lists that the planner cannot read: it would make a new plan for each call, which costs as much as the claims.
  const free = sql`
    select next.id
    from unnest((select ${wanted.map((w) => String(w.projectId))}::bigint[]), (select ${wanted.map((w) => w.limit)}::int[]))
      as wanted (project_id, places)
    cross join lateral (
      select id from deliveries
      where project_id = wanted.project_id and ${isClaimable(sql, taking)}
      order by next_attempt_at limit wanted.places for update skip locked
    ) next`;
  return claim(sql, free, taking);
}

function isClaimable(sql: Sql, { token }: Taking) {
  return sql`
    status = 'pending' and next_attempt_at <= now()
    and (claimed_until is null or claimed_until <= now() or taken_by = ${token})`;
}

/** `free` selects the ids, and has locked their rows. */
async function claim(
  sql: Sql,
  free: PendingQuery<Row[]>,
  { token, leaseSeconds }: Taking,
): Promise<ClaimedDelivery[]> {
  const rows = await sql<ClaimedRow[]>`
    with free as (${free}), claimed as (
      update deliveries d set
        claims = d.claims + (d.taken_by is distinct from ${token})::int, taken_by = ${token},
        claimed_until = now() + make_interval(secs => ${leaseSeconds})
      from free where d.id = free.id
      returning d.id, d.claims, d.next_attempt_at, d.schedule_started_at, d.failures, d.project_id, d.event_id,
                d.request_id
    )
    select c.id, c.claims, now() as claimed_at, c.next_attempt_at as due_at, c.schedule_started_at, c.failures,
           c.project_id, e.public_id as event_public_id, e.body, c.request_id, w.url, w.secret_sealed,
           case when w.previous_secret_until > now() then w.previous_secret_sealed end as previous_secret_sealed,
           w.status as endpoint_status, w.version as endpoint_version
    from claimed c join events e on e.id = c.event_id left join webhook_endpoints w on w.project_id = c.project_id`;
  return rows.map(toClaimed);
}

function toClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    id: row.id,
    claim: row.claims,
    claimedAtMs: row.claimed_at.getTime(),
    dueMs: row.due_at.getTime(),
    scheduleStartedMs: row.schedule_started_at.getTime(),
    failures: row.failures,
    projectId: row.project_id,
    eventPublicId: row.event_public_id,
    body: row.body,
    requestId: row.request_id,
    endpoint: row.url === null ? null : toEndpoint(row, row.url),
  };
}

function toEndpoint(row: ClaimedRow, url: string): ClaimedEndpoint {
  return {
    url,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    status: row.endpoint_status,
    version: row.endpoint_version,
  };
}

/** Leaves deliveries to the relays again after a while, without an attempt; their plan stays. */
export async function putBackDeliveries(
  { sql }: Pick<Store, 'sql'>,
  deliveries: readonly { id: bigint; delayMs: number }[],
): Promise<void> {
  await sql`
    with back as (
      select d.id, b.delay_ms
      from deliveries d
      join unnest(${deliveries.map((d) => String(d.id))}::bigint[], ${deliveries.map((d) => d.delayMs)}::float8[])
        as b (id, delay_ms) on b.id = d.id
      where d.status = 'pending' order by d.id for update of d
    )
    update deliveries d set relay_at = now() + make_interval(secs => back.delay_ms / 1000)
    from back where d.id = back.id`;
}

/**
 * What follows an attempt, or the finding that none can be made. `parked`: the endpoint is disabled; the delivery is due
 * as soon as it is set again.
 */
export type DeliveryPlan =
  { kind: 'delivered' } | { kind: 'retry'; delayMs: number } | { kind: 'failed' } | { kind: 'parked' };

export type AttemptReport = {
  deliveryId: bigint;
  claim: number;
  url: string;
  startedAt: Date;
  durationMs: number;
  httpStatus: number | null;
  error: string | null;
  responseExcerpt: string | null;
  plan: DeliveryPlan;
};

/**
 * Records attempts and what follows each. Numbers are given here, under the lock of the delivery's row, so that no two
 * attempts share one. A success counts whoever reports it; only the latest claim plans. Safe to repeat.
 */
export async function recordAttempts(
  { sql }: Pick<Store, 'sql'>,
  reports: readonly AttemptReport[],
): Promise<void> {
  for (const round of inRounds(reports)) await recordOneOfEach(sql, round);
}

/** An update changes a row once: of two attempts of one delivery, the second waits for the next round. */
function* inRounds(reports: readonly AttemptReport[]): Generator<readonly AttemptReport[]> {
  for (let rest = reports; rest.length > 0;) {
    const round = new Map(rest.toReversed().map((report) => [report.deliveryId, report]));
    yield [...round.values()];
    rest = rest.length === round.size ? [] : rest.filter((report) => round.get(report.deliveryId) !== report);
  }
}

/** Of each delivery, the last ones: who redelivers on and on does not fill the disk. The schedule alone makes about twenty. */
const KEPT_ATTEMPTS = 100;

async function recordOneOfEach(sql: Sql, reports: readonly AttemptReport[]): Promise<void> {
  const plans = sql`(d.status = 'pending' and d.claims = r.claim)`;
  const ends = sql`(d.status = 'pending' and (r.plan = 'delivered' or (r.plan = 'failed' and d.claims = r.claim)))`;
  const status = sql`case when ${ends} then r.plan else d.status end`;
  // Rows are locked in the order in which they come: sorted by id.
  await sql`
    with report as (
      select * from unnest(
        ${reports.map((r) => String(r.deliveryId))}::bigint[], ${reports.map((r) => r.claim)}::int[],
        ${reports.map((r) => r.url)}::text[], ${reports.map((r) => r.startedAt.toISOString())}::timestamptz[],
        ${reports.map((r) => r.durationMs)}::int[], ${reports.map((r) => r.httpStatus)}::int[],
        ${reports.map((r) => r.error)}::text[], ${reports.map((r) => r.responseExcerpt)}::text[],
        ${reports.map((r) => r.plan.kind)}::text[], ${reports.map((r) => delayOf(r.plan))}::float8[]
      ) as r (id, claim, url, started_at, duration_ms, http_status, error, excerpt, plan, delay_ms)
      where not exists (
        select 1 from delivery_attempts a where a.delivery_id = r.id and a.started_at = r.started_at)
      order by id
    ), planned as (
      update deliveries d set
        attempts = d.attempts + 1,
        status = ${status},
        failures = d.failures + (${plans} and r.plan <> 'delivered')::int,
        delivered_at = case when ${status} = 'delivered' then coalesce(d.delivered_at, now()) end,
        next_attempt_at = case when ${status} <> 'pending' then null
          when ${plans} then now() + make_interval(secs => r.delay_ms / 1000) else d.next_attempt_at end,
        relay_at = case when not ${plans} then d.relay_at
          when r.plan = 'parked' then now() + make_interval(secs => ${PARKED_SECONDS})
          else now() + make_interval(secs => r.delay_ms / 1000) end,
        claimed_until = case when d.claims = r.claim then null else d.claimed_until end
      from report r where d.id = r.id
      returning r.*, d.attempts as number, d.status = 'pending' and d.relay_at <= now() as is_due
    ), attempt as (
      insert into delivery_attempts
        (delivery_id, number, url, started_at, duration_ms, http_status, error, response_excerpt)
      select id, number, url, started_at, duration_ms, http_status, error, excerpt from planned
    ), forgotten as (
      delete from delivery_attempts a using planned p
      where p.number > ${KEPT_ATTEMPTS} and a.delivery_id = p.id and a.number = p.number - ${KEPT_ATTEMPTS}
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '') from planned where is_due limit 1`;
}

function delayOf(plan: DeliveryPlan): number {
  return plan.kind === 'retry' ? plan.delayMs : 0;
}

/** Rests or ends a delivery whose endpoint takes nothing now, without an attempt. Repeating it changes nothing. */
export async function setAside(
  { sql }: Pick<Store, 'sql'>,
  delivery: Pick<ClaimedDelivery, 'id' | 'claim'>,
  plan: 'parked' | 'failed',
): Promise<void> {
  await sql`
    update deliveries set
      status = ${plan === 'failed' ? 'failed' : 'pending'},
      next_attempt_at = case when ${plan === 'failed'} then null else next_attempt_at end,
      relay_at = now() + make_interval(secs => ${PARKED_SECONDS}), claimed_until = null
    where id = ${delivery.id} and claims = ${delivery.claim} and status = 'pending'`;
}
