import type { Fragment } from 'postgres';
import type { AnySql } from '../postgres/database.ts';

/**
 * The key of the endpoint that a delivery goes to: the id of the project for its first endpoint, and minus the endpoint's own id for
 * a further one. `webhook_endpoints.key` is the same, so one lookup finds either. An index contains this expression.
 */
export function deliveryKey(sql: AnySql, table?: 'd' | 'seen'): Fragment {
  if (table === undefined) return sql`coalesce(-endpoint_id, project_id)`;
  return table === 'd'
    ? sql`coalesce(-d.endpoint_id, d.project_id)`
    : sql`coalesce(-seen.endpoint_id, seen.project_id)`;
}

/** Whether a key is that of a project's first endpoint. */
export function isFirstEndpoint(key: bigint): boolean {
  return key > 0n;
}

/** The columns of a delivery that name its event and endpoint. */
export function deliveryTarget(eventId: bigint, key: bigint) {
  return isFirstEndpoint(key)
    ? { eventId, furtherEventId: null, endpointId: null }
    : { eventId: null, furtherEventId: eventId, endpointId: -key };
}

/** Whether `d` is the delivery of the event `e` to an endpoint. */
export function isDeliveryTo(sql: AnySql, key: bigint) {
  return isFirstEndpoint(key)
    ? sql`d.event_id = e.id`
    : sql`d.further_event_id = e.id and d.endpoint_id = ${-key}`;
}

/** The conflict of a second delivery of an event to an endpoint. */
export function deliveryConflict(sql: AnySql, key: bigint) {
  return isFirstEndpoint(key)
    ? sql`(event_id)`
    : sql`(further_event_id, endpoint_id) where further_event_id is not null`;
}
