import type { AllowedHosts } from '@paywatch/domain/webhooks';
import { noteRequestOnSpan, type Logger } from '@paywatch/runtime/observability';
import { pause, type Clock } from '@paywatch/runtime/process';
import { randomFraction, randomUuid, SealingError, type Sealer } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { isDatabaseUnavailable } from '@paywatch/store/postgres';
import {
  claimDeliveries,
  claimNextDeliveries,
  putBackDeliveries,
  recordAttempts,
  reportEndpoints,
  setAside,
  type ClaimedDelivery,
  type Taking,
} from '@paywatch/store/webhooks';
import type { AttemptGate, Place, Pull } from './attempt-gate.ts';
import { createBatcher } from './batcher.ts';
import {
  conclude,
  planWithoutEndpoint,
  prepare,
  send,
  type Conclusion,
  type Prepared,
} from './deliver-webhook.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { outlastOutage } from './outlast-outage.ts';
import type { Sender } from '../http/send-request.ts';

export type AttemptDeps = {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  logger: Logger;
  sender: Sender;
  gate: AttemptGate;
  metrics: DeliveryMetrics;
  allowedHosts: AllowedHosts;
  /** How long a claim holds: longer than an attempt, and writing its record, can take. */
  claimSeconds: number;
};

export type DeliveryJob = { deliveryId: bigint; projectId: string };

export type Attempts = {
  /**
   * Makes what one job asks for: at most one attempt. Safe to run twice at once, late, or for a delivery that is done: the
   * claim in Postgres decides. Throws when Postgres is away for longer than a moment; the delivery comes round again.
   */
  attempt(job: DeliveryJob): Promise<void>;
  /** Begins attempts of one project's due deliveries, without jobs, in the places that are given. */
  pull: Pull;
  /** Waits for all attempts that were begun. */
  settle(): Promise<void>;
};

export function createAttempts(deps: AttemptDeps): Attempts {
  const writes = batchWrites(deps);
  const running = new Set<Promise<void>>();
  const track = (made: Promise<void>): Promise<void> => {
    const tracked = made.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  };
  return {
    attempt: (job) => track(attemptJob(deps, writes, job)),
    pull: (projectId, places) => pull(deps, writes, { projectId, places }, track),
    settle: async () => {
      await Promise.allSettled(running);
    },
  };
}

async function attemptJob(deps: AttemptDeps, writes: Writes, job: DeliveryJob): Promise<void> {
  const place = await deps.gate.enter(job.projectId);
  // Nothing to write: the lease of the relay that sent it here brings it round, should nothing pull it before.
  if (place === null) return deps.metrics.setAside.inc({ reason: 'busy' });
  try {
    const claimed = await writes.claim(job.deliveryId);
    if (claimed === null) return deps.metrics.setAside.inc({ reason: 'claimed' });
    if (claimed.requestId !== null) noteRequestOnSpan(claimed.requestId);
    await attempt(deps, writes, claimed, place);
  } finally {
    place.leave(null);
  }
}

async function pull(
  deps: AttemptDeps,
  writes: Writes,
  { projectId, places }: { projectId: string; places: readonly Place[] },
  track: (made: Promise<void>) => Promise<void>,
): Promise<number> {
  try {
    const claimed = await writes.claimNext({ projectId: BigInt(projectId), limit: places.length });
    for (const [position, place] of places.slice(0, claimed.length).entries()) {
      const one = claimed[position];
      if (one) void track(attemptPulled(deps, writes, one, place));
    }
    return claimed.length;
  } catch (err) {
    deps.logger.warn({ err, project_id: projectId }, 'pulling deliveries failed');
    return 0;
  }
}

/** Nobody awaits it: what goes wrong is logged, and the delivery comes round again. */
async function attemptPulled(
  deps: AttemptDeps,
  writes: Writes,
  claimed: ClaimedDelivery,
  place: Place,
): Promise<void> {
  try {
    await attempt(deps, writes, claimed, place);
  } catch (err) {
    deps.logger.error({ err, ...idsOf(claimed) }, 'attempt failed');
  } finally {
    place.leave(null);
  }
}

/** An attempt that is to be recorded holds no place any more: nobody waits for it. */
const RECORD_STEP_MS = 10;

type Writes = ReturnType<typeof batchWrites>;

/** What all attempts write and read, gathered into few statements. */
function batchWrites({ store, claimSeconds }: AttemptDeps) {
  const options = {
    maxSize: 200,
    maxRunning: 2,
    stepMs: 0,
    isItemsFault: (error: unknown) => !isDatabaseUnavailable(error),
  };
  const takeSurely = <Taken>(take: (taking: Taking) => Promise<Taken>): Promise<Taken> => {
    const taking = { token: randomUuid(), leaseSeconds: claimSeconds };
    return outlastOutage(() => take(taking));
  };
  return {
    claim: createBatcher(async (ids: bigint[]) => {
      const rows = await takeSurely((taking) => claimDeliveries(store, ids, taking));
      const claimed = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => claimed.get(id) ?? null);
    }, options),
    claimNext: createBatcher(async (wanted: { projectId: bigint; limit: number }[]) => {
      const rows = await takeSurely((taking) => claimNextDeliveries(store, wanted, taking));
      const claimed = Map.groupBy(rows, (row) => row.projectId);
      return wanted.map(({ projectId }) => claimed.get(projectId) ?? []);
    }, options),
    record: createBatcher(
      async (conclusions: Conclusion[]) => {
        await outlastOutage(async () => {
          await recordAttempts(
            store,
            conclusions.map((conclusion) => conclusion.attempt),
          );
          await reportEndpoints(
            store,
            conclusions.flatMap((conclusion) => conclusion.endpoint ?? []),
          );
        });
        return conclusions.map(() => undefined);
      },
      { ...options, stepMs: RECORD_STEP_MS },
    ),
  };
}

async function attempt(
  deps: AttemptDeps,
  writes: Writes,
  claimed: ClaimedDelivery,
  place: Place,
): Promise<void> {
  const claimedAt = performance.now();
  if (place.delayMs > 0) await pause(place.delayMs);
  const prepared = await prepareOrSetAside(deps, claimed);
  if (prepared === null) return;
  deps.metrics.waitSeconds.observe(Math.max(0, claimed.claimedAtMs - claimed.dueMs) / 1000);
  const attempted = await send(prepared, deps);
  place.leave(attempted.durationMs);
  deps.metrics.attemptSeconds.observe(attempted.durationMs / 1000);
  const conclusion = conclude(attempted, {
    nowMs: deps.clock.nowMs(),
    claimAgeMs: performance.now() - claimedAt,
    random: randomFraction(),
  });
  await writes.record(conclusion);
  deps.metrics.attempts.inc({ outcome: conclusion.outcome });
  logAttempt(deps.logger, claimed, conclusion);
}

/** Null, and the delivery rests, where there is no endpoint to send to or its secret cannot be opened. */
async function prepareOrSetAside(
  deps: AttemptDeps,
  claimed: ClaimedDelivery,
): Promise<Exclude<Prepared, { kind: 'no_endpoint' }> | null> {
  try {
    const prepared = prepare(claimed, deps);
    if (prepared.kind !== 'no_endpoint') return prepared;
    deps.metrics.setAside.inc({ reason: 'no_endpoint' });
    await setAside(deps.store, claimed, planWithoutEndpoint(claimed));
  } catch (err) {
    if (!(err instanceof SealingError)) throw err;
    // The operator's fault, not the merchant's: it costs no attempt of the schedule.
    deps.metrics.setAside.inc({ reason: 'unreadable_secret' });
    deps.logger.error({ err, ...idsOf(claimed) }, 'a webhook secret cannot be opened');
    await putBackDeliveries(deps.store, [{ id: claimed.id, delayMs: UNREADABLE_DELAY_MS }]);
  }
  return null;
}

const UNREADABLE_DELAY_MS = 300_000;

/** Ids and the host: a URL's path may be a secret of the merchant's. */
function logAttempt(logger: Logger, claimed: ClaimedDelivery, { outcome, attempt: made }: Conclusion): void {
  if (outcome === 'delivered' && !logger.isLevelEnabled('debug')) return;
  const fields = {
    ...idsOf(claimed),
    outcome,
    host: URL.parse(made.url)?.host,
    status: made.httpStatus,
    duration_ms: made.durationMs,
  };
  if (outcome === 'delivered') logger.debug(fields, 'webhook delivered');
  else logger.info({ ...fields, error: made.error }, 'webhook attempt failed');
}

function idsOf(claimed: ClaimedDelivery) {
  return {
    project_id: String(claimed.projectId),
    delivery_id: String(claimed.id),
    event_id: claimed.eventPublicId,
    ...(claimed.requestId === null ? {} : { request_id: claimed.requestId }),
  };
}
