import type { SealedPlace } from '@paywatch/runtime/security';
import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import type { Store } from '../store.ts';
import { findEndpoint, type EndpointOverview } from './list-endpoints.ts';
import { endpointSecretPlace, hostOf, wakeDeliveries } from './webhook-endpoints.ts';

/** What an owner chooses for an endpoint. */
export type EndpointTerms = { url: string; description: string; eventTypes: readonly string[] | null };

/** An endpoint to add. `seal` encrypts its secret for a place. */
export type NewEndpoint = EndpointTerms & {
  projectId: bigint;
  publicId: string;
  seal: (place: SealedPlace) => Uint8Array;
};

/** The maximum number of endpoints of a project: each event costs a delivery to each of them. */
export const MAX_ENDPOINTS = 10;

/**
 * Adds an endpoint to a project: the first endpoint if there is none, otherwise a further one. Null if the project has the maximum
 * number. Not safe to repeat: each call adds an endpoint.
 */
export async function createEndpoint(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  endpoint: NewEndpoint,
): Promise<EndpointOverview | null> {
  const created = await inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    const { projectId, url, publicId } = endpoint;
    await lockProject(tx, projectId);
    const { further, hasFirst } = await countEndpoints(tx, projectId);
    // One place is kept for the first endpoint, so that setting that is never refused.
    if (hasFirst && further >= MAX_ENDPOINTS - 1) return null;
    await insertEndpoint(tx, endpoint, hasFirst);
    const [detail, after] = [{ endpoint: publicId }, auditedTerms(endpoint)];
    await writeAudit(tx, { projectId, action: 'webhook.added', actor, detail, before: null, after });
    await queueNotice(tx, { projectId }, { kind: 'endpoint_changed', data: { host: hostOf(url) ?? '' } });
    return findEndpoint({ sql: tx }, projectId, publicId);
  });
  // Events may have waited since the first endpoint was deleted.
  if (created?.isFirst === true) await wakeDeliveries(store.sql, created.key);
  return created;
}

/** Only the host is logged: merchants put tokens into paths and queries. */
export function auditedTerms({ url, description, eventTypes }: EndpointTerms) {
  return { host: hostOf(url), description: description === '' ? null : description, event_types: eventTypes };
}

async function countEndpoints(
  tx: TransactionSql,
  projectId: bigint,
): Promise<{ further: number; hasFirst: boolean }> {
  const [row] = await tx<{ further: number; hasFirst: boolean }[]>`
    select count(further_project_id)::int as further, count(project_id) > 0 as "hasFirst" from webhook_endpoints where owner_id = ${projectId}`;
  return row ?? { further: 0, hasFirst: false };
}

async function insertEndpoint(
  tx: TransactionSql,
  { projectId, publicId, url, description, eventTypes, seal }: NewEndpoint,
  isFurther: boolean,
): Promise<void> {
  const secret = Buffer.from(seal(endpointSecretPlace(isFurther ? publicId : projectId)));
  await tx`
    insert into webhook_endpoints
      (public_id, project_id, further_project_id, url, description, event_types, secret_sealed)
    values (${publicId}, ${isFurther ? null : projectId}, ${isFurther ? projectId : null}, ${url}, ${description},
      ${eventTypes && tx.array([...eventTypes])}::text[], ${secret})`;
}
