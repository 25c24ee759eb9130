import type { SealedPlace } from '@paywatch/runtime/security';
import { writeAudit, type Actor } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { lockProject } from '../projects/lock-project.ts';
import type { Store } from '../store.ts';
import { auditedTerms, type EndpointTerms } from './create-endpoint.ts';
import { findEndpoint, type EndpointOverview } from './list-endpoints.ts';
import { endpointSecretPlace, hostOf, PREVIOUS_SECRET_HOURS, wakeDeliveries } from './webhook-endpoints.ts';

/** The endpoint that a change is about. */
export type EndpointName = { projectId: bigint; publicId: string };

/** What changes; absent fields stay. */
export type EndpointChange = Partial<EndpointTerms & { isDisabled: boolean }>;

/**
 * Changes an endpoint. A new URL, or enabling it, makes it healthy, unless the same change disables it; events that waited for it
 * are sent when due. Null if the project has no such endpoint. Safe to repeat.
 */
export async function changeEndpoint(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  name: EndpointName,
  change: EndpointChange,
): Promise<EndpointOverview | null> {
  const changed = await changeLocked(store, authorize, name, async (tx, before, actor) => {
    const terms = { ...before, ...change };
    const isMoved = terms.url !== before.url;
    const isEnabled = before.status === 'disabled' && change.isDisabled === false;
    await updateTerms(tx, before.key, terms);
    if (isMoved || isEnabled) await resetHealth(tx, before.key);
    if (change.isDisabled === true && (isMoved || before.status !== 'disabled'))
      await disable(tx, before.key);
    const disabled = change.isDisabled === undefined ? {} : { disabled: change.isDisabled };
    await writeChange(tx, name, actor, {
      action: 'webhook.changed',
      before: auditedTerms(before),
      after: { ...auditedTerms(terms), ...disabled },
    });
    if (isMoved) await notify(tx, name, terms.url);
  });
  if (changed !== null) await wakeDeliveries(store.sql, changed.key);
  return changed;
}

/** Replaces the secret of an endpoint; the previous one still signs for 24 hours. Null if the project has no such endpoint. */
export async function rotateEndpointSecret(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  name: EndpointName,
  seal: (place: SealedPlace) => Uint8Array,
): Promise<EndpointOverview | null> {
  return changeLocked(store, authorize, name, async (tx, endpoint, actor) => {
    const place = endpointSecretPlace(endpoint.isFirst ? name.projectId : name.publicId);
    await tx`
      update webhook_endpoints set
        previous_secret_sealed = secret_sealed, secret_sealed = ${Buffer.from(seal(place))},
        previous_secret_until = now() + make_interval(hours => ${PREVIOUS_SECRET_HOURS})
      where key = ${endpoint.key}`;
    await writeChange(tx, name, actor, { action: 'webhook.secret_rotated' });
    await notify(tx, name, endpoint.url);
  });
}

/**
 * Deletes an endpoint, and returns what it was. Deliveries that wait for a further one fail when they are next due; those of the
 * first one wait for the next first endpoint. Null if the project has no such endpoint.
 */
export async function deleteEndpoint(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  name: EndpointName,
): Promise<EndpointOverview | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, name.projectId);
    const endpoint = await findEndpoint({ sql: tx }, name.projectId, name.publicId);
    if (endpoint === null) return null;
    await tx`delete from webhook_endpoints where key = ${endpoint.key}`;
    const before = auditedTerms(endpoint);
    await writeChange(tx, name, actor, { action: 'webhook.deleted', before, after: null });
    await notify(tx, name, endpoint.url);
    return endpoint;
  });
}

/** Runs a change under the project's lock. Returns the changed endpoint. */
async function changeLocked(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  { projectId, publicId }: EndpointName,
  change: (tx: TransactionSql, endpoint: EndpointOverview, actor: Actor) => Promise<void>,
): Promise<EndpointOverview | null> {
  return inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await lockProject(tx, projectId);
    const endpoint = await findEndpoint({ sql: tx }, projectId, publicId);
    if (endpoint === null) return null;
    await change(tx, endpoint, actor);
    return findEndpoint({ sql: tx }, projectId, publicId);
  });
}

async function updateTerms(
  tx: TransactionSql,
  key: bigint,
  { url, description, eventTypes }: EndpointTerms,
): Promise<void> {
  await tx`
    update webhook_endpoints set url = ${url}, description = ${description},
      event_types = ${eventTypes && tx.array([...eventTypes])}::text[]
    where key = ${key}`;
}

/** As if it had just been set, except for the secret: reports about earlier attempts are ignored. */
async function resetHealth(tx: TransactionSql, key: bigint): Promise<void> {
  await tx`
    update webhook_endpoints set status = 'healthy', failing_since = null, last_error = null, tried_at = null,
      version = version + 1, created_at = now()
    where key = ${key}`;
}

async function disable(tx: TransactionSql, key: bigint): Promise<void> {
  await tx`
    update webhook_endpoints set status = 'disabled', failing_since = null, last_error = null where key = ${key}`;
}

type Line = Pick<Parameters<typeof writeAudit>[1], 'action' | 'before' | 'after'>;

function writeChange(
  tx: TransactionSql,
  { projectId, publicId }: EndpointName,
  actor: Actor,
  line: Line,
): Promise<void> {
  return writeAudit(tx, { projectId, actor, detail: { endpoint: publicId }, ...line });
}

function notify(tx: TransactionSql, { projectId }: EndpointName, url: string): Promise<void> {
  return queueNotice(tx, { projectId }, { kind: 'endpoint_changed', data: { host: hostOf(url) ?? '' } });
}
