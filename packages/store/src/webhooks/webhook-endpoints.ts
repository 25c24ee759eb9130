import type { SealedPlace } from '@paywatch/runtime/security';
import { writeAudit, type Actor } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type AnySql, type TransactionSql } from '../postgres/database.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { lockProject } from '../projects/lock-project.ts';
import { deliveryKey } from './delivery-key.ts';
import { DELIVERIES_CHANNEL } from './lease-deliveries.ts';
import type { Store } from '../store.ts';

export type EndpointStatus = 'healthy' | 'failing' | 'disabled';

/** An endpoint as its owner sees it. The secret is never shown again. */
export type WebhookEndpoint = {
  url: string;
  /** When it was last set. */
  createdAt: Date;
  status: EndpointStatus;
  failingSince: Date | null;
};

/**
 * The place that an endpoint's secrets are sealed for. `row` is the id of the project for its first endpoint, and the public id of
 * a further one. The previous secret was sealed for the same place and moves to `previous_secret_sealed` unchanged.
 */
export function endpointSecretPlace(row: bigint | string): SealedPlace {
  return { table: 'webhook_endpoints', column: 'secret_sealed', row: String(row) };
}

/** How long the previous secret still signs, so that receivers can switch. */
export const PREVIOUS_SECRET_HOURS = 24;

/**
 * Sets the project's first endpoint, or replaces its URL and secret; its event types and description stay. The endpoint becomes
 * healthy, and the previous secret still signs for 24 hours. `secretSealed` must be sealed for `endpointSecretPlace`. Events
 * that waited for a disabled endpoint are sent when due.
 */
export async function setWebhookEndpoint(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  endpoint: { projectId: bigint; url: string; secretSealed: Uint8Array },
): Promise<{ url: string; createdAt: Date }> {
  const createdAt = await inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    // The endpoints of the project are counted under this lock before one is added.
    await lockProject(tx, endpoint.projectId);
    return upsertEndpoint(tx, endpoint, actor);
  });
  await wakeDeliveries(store.sql, endpoint.projectId);
  return { url: endpoint.url, createdAt };
}

async function upsertEndpoint(
  tx: TransactionSql,
  { projectId, url, secretSealed }: { projectId: bigint; url: string; secretSealed: Uint8Array },
  actor: Actor,
): Promise<Date> {
  const [previous] = await tx<{ url: string }[]>`
    select url from webhook_endpoints where project_id = ${projectId} for no key update`;
  const secret = Buffer.from(secretSealed);
  const [row] = await tx<{ created_at: Date }[]>`
    insert into webhook_endpoints as w (project_id, url, secret_sealed)
    values (${projectId}, ${url}, ${secret})
    on conflict (project_id) do update set
      url = excluded.url, secret_sealed = excluded.secret_sealed, previous_secret_sealed = w.secret_sealed,
      previous_secret_until = now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS}),
      status = 'healthy', failing_since = null, last_error = null, tried_at = null, version = w.version + 1,
      created_at = now()
    returning created_at`;
  if (!row) throw new Error(`webhook endpoint of project ${projectId} not stored`);
  // Only the host is logged: merchants put tokens into paths and queries.
  await writeAudit(tx, {
    projectId,
    action: 'webhook.set',
    actor,
    detail: { host: hostOf(url), url_changed: previous?.url !== url },
    before: previous === undefined ? null : { host: hostOf(previous.url) },
    after: { host: hostOf(url) },
  });
  const data = { host: hostOf(url) ?? '' };
  await queueNotice(tx, { projectId }, { kind: 'endpoint_changed', data });
  return row.created_at;
}

/** The host of a URL, which is all that logs and mails name. */
export function hostOf(url: string): string | null {
  return URL.parse(url)?.host ?? null;
}

/**
 * Makes the waiting deliveries of an endpoint due as scheduled. A separate statement: together with a change of the endpoint it
 * would lock endpoint and deliveries in the opposite order of a worker's report. If it is lost, the deliveries wake up by
 * themselves a little later.
 */
export async function wakeDeliveries(sql: AnySql, endpointKey: bigint): Promise<void> {
  await sql`
    with woken as (
      update deliveries set relay_at = greatest(next_attempt_at, now())
      where ${deliveryKey(sql)} = ${endpointKey} and status = 'pending' and relay_at > greatest(next_attempt_at, now())
      returning id
    )
    select pg_notify(${DELIVERIES_CHANNEL}, '') from woken limit 1`;
}

/** The project's first endpoint, or null. */
export async function getWebhookEndpoint(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
): Promise<WebhookEndpoint | null> {
  const [row] = await sql<WebhookEndpoint[]>`
    select url, created_at as "createdAt", status, failing_since as "failingSince"
    from webhook_endpoints where project_id = ${projectId}`;
  return row ? { ...row } : null;
}

/**
 * What an attempt reveals about its endpoint. `endpointId` and `version` are those of the endpoint that it was sent to, `error`
 * why it failed; null after a success.
 */
export type EndpointReport = {
  endpointId: bigint;
  version: number;
  status: EndpointStatus;
  error: string | null;
};

/**
 * Stores the health of endpoints. `failingSince` keeps the first failure after the last success. Only setting or enabling the
 * endpoint again enables a disabled one. Ignores reports about a deleted endpoint or a replaced version.
 */
export async function reportEndpoints(
  { sql }: Pick<Store, 'sql'>,
  reports: readonly EndpointReport[],
): Promise<void> {
  if (reports.length === 0) return;
  await sql`
    with report as (
      select distinct on (id) id, version, status, error
      from unnest(${reports.map((r) => String(r.endpointId))}::bigint[], ${reports.map((r) => r.version)}::int[],
                  ${reports.map((r) => r.status)}::text[], ${reports.map((r) => r.error)}::text[])
        with ordinality as r (id, version, status, error, position)
      order by id, (status = 'disabled') desc, position desc
    ), locked as (
      select w.id, report.status, report.error
      from webhook_endpoints w join report using (id)
      where w.version = report.version and w.status <> 'disabled' and (w.status <> report.status or w.tried_at is null)
      order by w.id for update of w
    )
    update webhook_endpoints w set
      status = locked.status, last_error = locked.error, tried_at = coalesce(w.tried_at, now()),
      failing_since = case when locked.status = 'healthy' then null else coalesce(w.failing_since, now()) end
    from locked where w.id = locked.id`;
}
