import type { Sql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import type { ClaimedDelivery } from './claim-deliveries.ts';
import { deliveryKey } from './delivery-key.ts';
import { DELIVERIES_CHANNEL } from './lease-deliveries.ts';

/**
 * How long a delivery to a disabled endpoint waits before it is checked again, in case the wake-up of a new endpoint was lost.
 */
const PARKED_RECHECK_SECONDS = 600;

/**
 * What follows an attempt, or the finding that none is possible. `parked`: the endpoint is disabled; the delivery is due again
 * as soon as the endpoint is set.
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
 * Records attempts and schedules what follows. Attempt numbers are assigned under the lock of the delivery's row, so no two
 * attempts share one. A success counts whichever claim reports it; only the latest claim changes the schedule. Safe to repeat.
 */
export async function recordAttempts(
  { sql }: Pick<Store, 'sql'>,
  reports: readonly AttemptReport[],
): Promise<void> {
  for (const round of inRounds(reports)) await recordOneOfEach(sql, round);
}

/** One update changes a row only once, so a second attempt of the same delivery goes into the next round. */
function* inRounds(reports: readonly AttemptReport[]): Generator<readonly AttemptReport[]> {
  for (let rest = reports; rest.length > 0;) {
    const round = new Map(rest.toReversed().map((report) => [report.deliveryId, report]));
    yield [...round.values()];
    rest = rest.length === round.size ? [] : rest.filter((report) => round.get(report.deliveryId) !== report);
  }
}

/** Attempts kept for each delivery, so that endless redeliveries do not fill the disk. A schedule makes about twenty. */
const KEPT_ATTEMPTS = 100;

async function recordOneOfEach(sql: Sql, reports: readonly AttemptReport[]): Promise<void> {
  const plans = sql`(d.status = 'pending' and d.claims = r.claim)`;
  const ends = sql`(d.status = 'pending' and (r.plan = 'delivered' or (r.plan = 'failed' and d.claims = r.claim)))`;
  const status = sql`case when ${ends} then r.plan else d.status end`;
  // Rows are locked in the order of their ids.
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
          when r.plan = 'parked' then now() + make_interval(secs => ${PARKED_RECHECK_SECONDS})
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

/**
 * Parks or fails a delivery without an attempt because its endpoint accepted nothing when it was claimed. If the endpoint was enabled
 * meanwhile, the delivery is due at once: the endpoint's row is locked, so that an enabling is either seen here or sees the parked
 * delivery. Safe to repeat.
 */
export async function parkOrFailDelivery(
  { sql }: Pick<Store, 'sql'>,
  delivery: Pick<ClaimedDelivery, 'id' | 'claim'>,
  plan: 'parked' | 'failed',
): Promise<void> {
  await sql`
    with endpoint as materialized (
      select w.status from deliveries d join webhook_endpoints w on w.key = ${deliveryKey(sql, 'd')}
      where d.id = ${delivery.id} for share of w
    )
    update deliveries set
      status = ${plan === 'failed' ? 'failed' : 'pending'},
      next_attempt_at = case when ${plan === 'failed'} then null else next_attempt_at end,
      relay_at = case when (select status <> 'disabled' from endpoint) then now()
        else now() + make_interval(secs => ${PARKED_RECHECK_SECONDS}) end,
      claimed_until = null
    where id = ${delivery.id} and claims = ${delivery.claim} and status = 'pending'`;
}
