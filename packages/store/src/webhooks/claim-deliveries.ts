import type { SealedPlace } from '@paywatch/runtime/security';
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import type { LeaseTerms } from './lease-deliveries.ts';
import { deliveryKey } from './delivery-key.ts';
import { endpointSecretPlace, type EndpointStatus } from './webhook-endpoints.ts';

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
  /** See `deliveryKey`. */
  endpointKey: bigint;
  eventPublicId: string;
  body: string;
  /** The id of the request that caused it, as in the log; null if there was none. */
  requestId: string | null;
  endpoint: ClaimedEndpoint | null;
};

/** The endpoint at the time of the claim. The previous secret is null once its 24 hours are over. */
export type ClaimedEndpoint = {
  /** A deleted endpoint and the next first one have the same key, but not the same id. */
  id: bigint;
  /** The place that its secrets are sealed for. */
  secretPlace: SealedPlace;
  url: string;
  secretSealed: Uint8Array;
  previousSecretSealed: Uint8Array | null;
  status: EndpointStatus;
  /** Whether an attempt was made since the endpoint was set. */
  isTried: boolean;
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
  endpoint_key: bigint;
  event_public_id: string;
  body: string;
  request_id: string | null;
  endpoint_id: bigint;
  url: string | null;
  secret_sealed: Buffer;
  previous_secret_sealed: Buffer | null;
  secret_row: string;
  endpoint_status: EndpointStatus;
  is_tried: boolean;
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

/** Claims up to `limit` due deliveries of each endpoint, those that have waited longest first. */
export function claimNextDeliveries(
  { sql }: Pick<Store, 'sql'>,
  wanted: readonly { endpointKey: bigint; limit: number }[],
  taking: LeaseTerms,
): Promise<ClaimedDelivery[]> {
  // The planner cannot see these lists: otherwise it would make a new plan for each call, which costs as much as the claims.
  const free = sql`
    select next.id
    from unnest((select ${wanted.map((w) => String(w.endpointKey))}::bigint[]), (select ${wanted.map((w) => w.limit)}::int[]))
      as wanted (endpoint_key, places)
    cross join lateral (
      select id from deliveries
      where ${deliveryKey(sql)} = wanted.endpoint_key and ${isClaimable(sql, taking)}
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
      returning d.id, d.claims, d.next_attempt_at, d.schedule_started_at, d.failures, d.project_id,
                coalesce(d.event_id, d.further_event_id) as event_id, ${deliveryKey(sql, 'd')} as endpoint_key, d.request_id
    )
    select c.id, c.claims, now() as claimed_at, c.next_attempt_at as due_at, c.schedule_started_at, c.failures,
           c.project_id, c.endpoint_key, e.public_id as event_public_id, e.body, c.request_id, w.id as endpoint_id, w.url, w.secret_sealed,
           case when w.previous_secret_until > now() then w.previous_secret_sealed end as previous_secret_sealed,
           coalesce(w.project_id::text, w.public_id) as secret_row, w.status as endpoint_status,
           w.tried_at is not null as is_tried, w.version as endpoint_version
    from claimed c join events e on e.id = c.event_id left join webhook_endpoints w on w.key = c.endpoint_key`;
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
    endpointKey: row.endpoint_key,
    eventPublicId: row.event_public_id,
    body: row.body,
    requestId: row.request_id,
    endpoint: row.url === null ? null : toEndpoint(row, row.url),
  };
}

function toEndpoint(row: ClaimedRow, url: string): ClaimedEndpoint {
  return {
    id: row.endpoint_id,
    url,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    secretPlace: endpointSecretPlace(row.secret_row),
    status: row.endpoint_status,
    isTried: row.is_tried,
    version: row.endpoint_version,
  };
}
