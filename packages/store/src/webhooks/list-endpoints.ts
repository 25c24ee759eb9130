import type { AnySql } from '../postgres/database.ts';
import { deliveryKey } from './delivery-key.ts';
import type { EndpointStatus } from './webhook-endpoints.ts';

/** An endpoint of a project with the state of its deliveries. */
export type EndpointOverview = {
  key: bigint;
  publicId: string;
  /** Whether POST /v1/webhooks sets it. */
  isFirst: boolean;
  url: string;
  description: string;
  /** Null for all types. */
  eventTypes: string[] | null;
  status: EndpointStatus;
  failingSince: Date | null;
  /** Whether an attempt was made since it was set. */
  isTried: boolean;
  /** Why the last attempt of the next delivery failed, or why the endpoint is failing or disabled. */
  lastError: string | null;
  /** When the next delivery is due; null if none waits. */
  nextAttemptAt: Date | null;
  /** When it was last set. */
  createdAt: Date;
};

/** The endpoints of a project, oldest first. */
export async function listEndpoints(
  { sql }: { sql: AnySql },
  projectId: bigint,
): Promise<EndpointOverview[]> {
  const rows = await sql<EndpointOverview[]>`
    ${overviews(sql)} where w.owner_id = ${projectId} order by w.id`;
  return rows.map((row) => ({ ...row }));
}

/** One endpoint of a project; null if the project has no such endpoint. */
export async function findEndpoint(
  { sql }: { sql: AnySql },
  projectId: bigint,
  publicId: string,
): Promise<EndpointOverview | null> {
  const [row] = await sql<EndpointOverview[]>`
    ${overviews(sql)} where w.owner_id = ${projectId} and w.public_id = ${publicId}`;
  return row ? { ...row } : null;
}

function overviews(sql: AnySql) {
  return sql`
    select w.key, w.public_id as "publicId", w.project_id is not null as "isFirst", w.url, w.description,
      w.event_types as "eventTypes", w.status, w.failing_since as "failingSince", w.tried_at is not null as "isTried",
      coalesce(case when w.status = 'failing' then next.error end, w.last_error) as "lastError",
      next.next_attempt_at as "nextAttemptAt", w.created_at as "createdAt"
    from webhook_endpoints w
    left join lateral (
      select d.next_attempt_at, (
        select a.error from delivery_attempts a where a.delivery_id = d.id order by a.number desc limit 1
      ) as error
      from deliveries d
      where ${deliveryKey(sql, 'd')} = w.key and d.status = 'pending'
      order by d.next_attempt_at limit 1
    ) next on w.status <> 'disabled'`;
}
