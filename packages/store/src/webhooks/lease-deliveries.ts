import type { PendingQuery, Row } from 'postgres';
import { listen, type Listener } from '../postgres/listen.ts';
import type { Store } from '../store.ts';
import { deliveryKey } from './delivery-key.ts';

/** NOTIFY channel: a delivery may be due. The payload is empty; listeners read the table. */
export const DELIVERIES_CHANNEL = 'paywatch_deliveries';

/**
 * Calls `onWake` when a delivery may be due and after each (re)connection, because notifications may have been missed. Poll as
 * well: notifications are lost between a disconnection and its detection.
 */
export function listenForDeliveries(store: Pick<Store, 'direct'>, onWake: () => void): Promise<Listener> {
  return listen(store, DELIVERIES_CHANNEL, onWake, onWake);
}

/**
 * A delivery for the queue. `claims` is part of the job id, so that a new job differs from one that a worker took and did not
 * finish. `isOverdue`: it was due before and its job may be lost.
 */
export type DueDelivery = {
  id: bigint;
  projectId: bigint;
  /** See `deliveryKey`. */
  endpointKey: bigint;
  claims: number;
  requestId: string | null;
  isOverdue: boolean;
};

/** The token that marks leased rows, and the duration of the lease. Use one token for a call and its retries. */
export type LeaseTerms = { token: string; leaseSeconds: number };

/**
 * Leases up to `limit` due deliveries to this relay: the oldest ones and, for a fifth of `limit`, the newest, so that a backlog
 * does not hold up everybody else. Other relays skip them for `leaseSeconds`; after that they are due again unless a worker has
 * reported on them. Skips claimed deliveries, and recent deliveries to the endpoints in `pulled`: workers claim those directly,
 * and leasing each of them would cost as much as sending it.
 */
export async function leaseDueDeliveries(
  { sql }: Pick<Store, 'sql'>,
  { limit, token, leaseSeconds, pulled = [] }: LeaseTerms & { limit: number; pulled?: readonly string[] },
): Promise<DueDelivery[]> {
  const newest = Math.floor(limit / 5);
  // The planner cannot see the limit: if it expected few due rows it would read and sort all of them.
  const isDue = sql`d.status = 'pending' and d.relay_at <= now()`;
  const take = (order: PendingQuery<Row[]>, most: number) => sql`
    select d.id, d.relay_at > d.next_attempt_at + interval '1 second' as is_overdue
    from (
      select d.id, d.project_id, d.endpoint_id, d.relay_at from deliveries d
      where ${isDue} and (d.claimed_until is null or d.claimed_until <= now())
      order by ${order} limit (select ${MAX_SCANNED}::int)
    ) seen join deliveries d on d.id = seen.id
    where ${isDue} and (
      seen.relay_at <= now() - make_interval(secs => ${DIRECT_CLAIM_SECONDS})
      or ${deliveryKey(sql, 'seen')} not in (select unnest(${pulled}::bigint[])))
    order by seen.${order} limit ${most} for update of d skip locked`;
  return await sql<DueDelivery[]>`
    with oldest as (${take(sql`relay_at`, limit - newest)}), newest as (${take(sql`relay_at desc`, newest)})
    update deliveries d set relay_at = now() + make_interval(secs => ${leaseSeconds}), taken_by = ${token}
    from (select * from oldest union select * from newest) due where d.id = due.id
    returning d.id, d.project_id as "projectId", ${deliveryKey(sql, 'd')} as "endpointKey", d.claims, d.request_id as "requestId", due.is_overdue as "isOverdue"`;
}

/**
 * Deliveries that wait longer than this are leased even for `pulled` endpoints: the worker may be dead, or the endpoint may
 * hang.
 */
const DIRECT_CLAIM_SECONDS = 10;

/** One call reads at most this many rows, however many are skipped; the rows behind them soon become old enough. */
const MAX_SCANNED = 2000;

/**
 * Returns what {@link leaseDueDeliveries} leased with this token, if nobody has leased it since. For retries after a lost
 * answer.
 */
export async function findLeasedDeliveries(
  { sql }: Pick<Store, 'sql'>,
  token: string,
): Promise<DueDelivery[]> {
  return await sql<DueDelivery[]>`
    select id, project_id as "projectId", ${deliveryKey(sql)} as "endpointKey", claims, request_id as "requestId", false as "isOverdue" from deliveries
    where status = 'pending' and relay_at > now() and taken_by = ${token}`;
}

/** Returns for how many seconds the oldest due delivery has waited for a relay; 0 if none is due. */
export async function measureRelayLag({ sql }: Pick<Store, 'sql'>): Promise<number> {
  const [row] = await sql<{ lag: number }[]>`
    select coalesce(extract(epoch from now() - min(relay_at)), 0)::float8 as lag
    from deliveries
    where status = 'pending' and relay_at <= now() and (claimed_until is null or claimed_until <= now())`;
  return row?.lag ?? 0;
}

/** Makes deliveries available to the relays again after a delay, without an attempt. Their schedule does not change. */
export async function postponeDeliveries(
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
