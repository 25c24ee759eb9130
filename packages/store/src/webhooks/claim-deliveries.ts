import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import type { LeaseTerms } from './lease-deliveries.ts';
import type { EndpointStatus } from './webhook-endpoints.ts';

/** A claimed delivery with all that one attempt needs. Times are those of Postgres, in epoch milliseconds. */
export type ClaimedDelivery = {
  id: bigint;
  /** Number of the claim. A report of an earlier claim does not change the schedule. */
  claim: number;
  claimedAtMs: number;
  /** When the attempt was due. */
  dueMs: number;
  scheduleStartedMs: number;
  /** Failed attempts since the schedule started. */
  failures: number;
  projectId: bigint;
  eventPublicId: string;
  body: string;
  /** The id of the request that caused it, as in the log; null if there was none. */
  requestId: string | null;
  endpoint: ClaimedEndpoint | null;
};

/** The endpoint at the time of the claim. The previous secret is null once its 24 hours are over. */
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
 * Claims those of the deliveries that are due and unclaimed, for `leaseSeconds`. The result is in any order; missing deliveries
 * are delivered, not due yet or claimed by another worker. A repeat with the same token returns the same claims, so a lost
 * answer does no harm.
 */
export function claimDeliveries(
  { sql }: Pick<Store, 'sql'>,
  ids: readonly bigint[],
  taking: LeaseTerms,
): Promise<ClaimedDelivery[]> {
  const free = sql`
    select id from deliveries
    where id = any (${ids.map(String)}::bigint[]) and ${isClaimable(sql, taking)}
    for update skip locked`;
  return claim(sql, free, taking);
}

/** Claims up to `limit` due deliveries of each project, those that have waited longest first. */
export function claimNextDeliveries(
  { sql }: Pick<Store, 'sql'>,
  wanted: readonly { projectId: bigint; limit: number }[],
  taking: LeaseTerms,
): Promise<ClaimedDelivery[]> {
  // The planner cannot see these lists: otherwise it would make a new plan for each call, which costs as much as the claims.
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

function isClaimable(sql: Sql, { token }: LeaseTerms) {
  return sql`
    status = 'pending' and next_attempt_at <= now()
    and (claimed_until is null or claimed_until <= now() or taken_by = ${token})`;
}

/** `free` selects the ids and locks their rows. */
async function claim(
  sql: Sql,
  free: PendingQuery<Row[]>,
  { token, leaseSeconds }: LeaseTerms,
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
