import type { Authorize } from '../accounts/authorize.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { findEventPosition, type DeliveryStatus } from './events.ts';
import { findEndpoint, type EndpointOverview } from './list-endpoints.ts';
import { beginRedeliveries, countWaitingDeliveries, scheduleRedeliveries } from './redeliveries.ts';

/** The events to send again to one endpoint, of the types that it wants. */
export type Replay = {
  projectId: bigint;
  endpointId: string;
  since: Date;
  /** Exclusive upper bound of the creation time; null for none. */
  until: Date | null;
  isUndeliveredOnly: boolean;
  /** The public id of the last event of the batch before; null for the first batch. */
  after: string | null;
};

/** `next`: the event after which the next batch starts; null when the range is complete. `waiting`: deliveries to the endpoint. */
type ReplayBatch = { scheduled: number; waiting: number; next: string | null };

export type ReplayOutcome =
  | { kind: 'scheduled'; batch: ReplayBatch }
  /** `busy`: too many deliveries wait for the endpoint. */
  | { kind: 'endpoint_not_found' | 'endpoint_disabled' | 'unknown_cursor' | 'busy' };

/** Events that one call schedules. */
const BATCH = 500;
/** Deliveries that may wait for an endpoint before a replay schedules more. */
const MAX_WAITING = 5000;

/**
 * Schedules a batch of a replay, oldest events first. Schedules nothing while too many deliveries wait for the endpoint. Skips events
 * that are due anyway, so a repeat before they are sent changes nothing.
 */
export async function replayEvents(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  replay: Replay,
): Promise<ReplayOutcome> {
  return inTransaction(store, async (sql) => {
    await authorize(sql);
    const endpoint = await findEndpoint({ sql }, replay.projectId, replay.endpointId);
    if (endpoint === null) return { kind: 'endpoint_not_found' };
    if (endpoint.status === 'disabled') return { kind: 'endpoint_disabled' };
    const after =
      replay.after === null ? 0n : await findEventPosition({ sql }, replay.projectId, replay.after);
    if (after === null) return { kind: 'unknown_cursor' };
    const waiting = await countWaitingDeliveries({ sql }, endpoint.key, MAX_WAITING);
    if (waiting >= MAX_WAITING) return { kind: 'busy' };
    const batch = await scheduleBatch(sql, endpoint, replay, after);
    return { kind: 'scheduled', batch: { ...batch, waiting: waiting + batch.scheduled } };
  });
}

const UNDELIVERED: readonly DeliveryStatus[] = ['pending', 'failed', 'unsent'];

async function scheduleBatch(
  sql: TransactionSql,
  { key: endpointKey, eventTypes: types }: EndpointOverview,
  { projectId, since, until, isUndeliveredOnly }: Replay,
  after: bigint,
): Promise<Omit<ReplayBatch, 'waiting'>> {
  const statuses = isUndeliveredOnly ? UNDELIVERED : [...UNDELIVERED, 'delivered' as const];
  const run = await beginRedeliveries(
    { sql },
    { projectId, endpointKey, since, until, type: null, types, statuses },
  );
  if (run === null) return { scheduled: 0, next: null };
  const { scheduled, lastEventId } = await scheduleRedeliveries({ sql }, run, { after, limit: BATCH });
  return { scheduled, next: lastEventId === null ? null : await publicIdOf(sql, lastEventId) };
}

async function publicIdOf(sql: TransactionSql, eventId: bigint): Promise<string | null> {
  const [event] = await sql<{ id: string }[]>`select public_id as id from events where id = ${eventId}`;
  return event?.id ?? null;
}
