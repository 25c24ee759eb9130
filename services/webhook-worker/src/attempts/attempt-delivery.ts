import type { AllowedHosts } from '@paywatch/domain/webhooks';
import { noteRequestOnSpan, type Logger } from '@paywatch/runtime/observability';
import { pause, type Clock } from '@paywatch/runtime/process';
import { randomFraction, SealingError, type Sealer } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import { postponeDeliveries, parkOrFailDelivery, type ClaimedDelivery } from '@paywatch/store/webhooks';
import type { Sender } from '../http/send-request.ts';
import type { AttemptGate, Pull, Slot } from './attempt-gate.ts';
import { batchStatements, type BatchedStatements } from './batched-statements.ts';
import {
  conclude,
  planWithoutEndpoint,
  prepare,
  send,
  type Conclusion,
  type Prepared,
} from './deliver-webhook.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

export type AttemptDeps = {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  logger: Logger;
  sender: Sender;
  gate: AttemptGate;
  metrics: DeliveryMetrics;
  allowedHosts: AllowedHosts;
  /** Lease of a claim; longer than an attempt and the recording of its result can take. */
  claimSeconds: number;
};

export type DeliveryJob = { deliveryId: bigint; endpointKey: string };

export type Attempts = {
  /**
   * Makes at most one attempt. Safe to run twice at once, late, or for a delivery that has ended: the claim in Postgres decides.
   * Throws when Postgres is unavailable for several seconds; the delivery then becomes due again.
   */
  attempt(job: DeliveryJob): Promise<void>;
  /** Claims due deliveries of one endpoint and starts an attempt in each slot, without jobs. */
  pull: Pull;
  /** Waits for all attempts in flight. */
  settle(): Promise<void>;
};

type Context = AttemptDeps & {
  statements: BatchedStatements;
  /** Registers an attempt that `settle` waits for. */
  track: (attempt: Promise<void>) => Promise<void>;
};

/** Creates the functions that make attempts. They share batched statements. */
export function createAttempts(deps: AttemptDeps): Attempts {
  const running = new Set<Promise<void>>();
  const track = (attempt: Promise<void>): Promise<void> => {
    const tracked = attempt.finally(() => running.delete(tracked));
    running.add(tracked);
    return tracked;
  };
  const context = { ...deps, statements: batchStatements(deps.store, deps.claimSeconds), track };
  return {
    attempt: (job) => track(attemptJob(context, job)),
    pull: (endpointKey, slots) => pull(context, endpointKey, slots),
    settle: async () => {
      await Promise.allSettled(running);
    },
  };
}

async function attemptJob(context: Context, job: DeliveryJob): Promise<void> {
  const { gate, statements, metrics } = context;
  const slot = await gate.acquire(job.endpointKey);
  // Nothing to write: the delivery becomes due again when the relay's lease expires, unless the gate pulls it earlier.
  if (slot === null) return metrics.deferred.inc({ reason: 'busy' });
  try {
    const claimed = await statements.claim(job.deliveryId);
    if (claimed === null) return metrics.deferred.inc({ reason: 'claimed' });
    if (claimed.requestId !== null) noteRequestOnSpan(claimed.requestId);
    await attemptClaimed(context, claimed, slot);
  } finally {
    slot.release(null);
  }
}

async function pull(context: Context, endpointKey: string, slots: readonly Slot[]): Promise<number> {
  const { statements, logger, track } = context;
  try {
    const claimed = await statements.claimNext({ endpointKey: BigInt(endpointKey), limit: slots.length });
    for (const [position, slot] of slots.slice(0, claimed.length).entries()) {
      const one = claimed[position];
      if (one) void track(attemptPulled(context, one, slot));
    }
    return claimed.length;
  } catch (err) {
    logger.warn({ err, endpoint_key: endpointKey }, 'pull failed; the deliveries stay in Postgres');
    return 0;
  }
}

/** No caller awaits this promise, so it must not reject. A delivery whose attempt fails here becomes due again. */
async function attemptPulled(context: Context, claimed: ClaimedDelivery, slot: Slot): Promise<void> {
  try {
    await attemptClaimed(context, claimed, slot);
  } catch (err) {
    context.logger.error({ err, ...idsOf(claimed) }, 'attempt failed');
  } finally {
    slot.release(null);
  }
}

async function attemptClaimed(context: Context, claimed: ClaimedDelivery, slot: Slot): Promise<void> {
  const { metrics } = context;
  const claimedAtMs = performance.now();
  if (slot.delayMs > 0) await pause(slot.delayMs);
  const prepared = await prepareOrDefer(context, claimed);
  if (prepared === null) return;
  metrics.waitSeconds.observe(Math.max(0, claimed.claimedAtMs - claimed.dueMs) / 1000);
  const attempted = await send(prepared, context);
  // The result is recorded without a slot: the next attempt need not wait for the statement.
  slot.release(attempted.durationMs);
  metrics.attemptSeconds.observe(attempted.durationMs / 1000);
  const conclusion = conclude(attempted, {
    nowMs: context.clock.nowMs(),
    claimAgeMs: performance.now() - claimedAtMs,
    random: randomFraction(),
  });
  await context.statements.record(conclusion);
  metrics.attempts.inc({ outcome: conclusion.outcome });
  logAttempt(context.logger, claimed, conclusion);
}

/** Returns null and postpones the delivery when there is no active endpoint or its secret cannot be opened. */
async function prepareOrDefer(
  context: Context,
  claimed: ClaimedDelivery,
): Promise<Exclude<Prepared, { kind: 'no_endpoint' }> | null> {
  const { store, metrics, logger } = context;
  try {
    const prepared = prepare(claimed, context);
    if (prepared.kind !== 'no_endpoint') return prepared;
    metrics.deferred.inc({ reason: 'no_endpoint' });
    await parkOrFailDelivery(store, claimed, planWithoutEndpoint(claimed));
  } catch (err) {
    if (!(err instanceof SealingError)) throw err;
    // A missing key is the operator's error, so it uses up no attempt of the merchant's schedule.
    metrics.deferred.inc({ reason: 'unreadable_secret' });
    logger.error({ err, ...idsOf(claimed) }, 'webhook secret cannot be opened; check ENCRYPTION_KEYS');
    await postponeDeliveries(store, [{ id: claimed.id, delayMs: UNREADABLE_SECRET_DELAY_MS }]);
  }
  return null;
}

const UNREADABLE_SECRET_DELAY_MS = 300_000;

/** Logs ids and the host. The path is left out: merchants put secrets in it. */
function logAttempt(logger: Logger, claimed: ClaimedDelivery, { outcome, attempt }: Conclusion): void {
  if (outcome === 'delivered' && !logger.isLevelEnabled('debug')) return;
  const fields = {
    ...idsOf(claimed),
    outcome,
    host: URL.parse(attempt.url)?.host,
    status: attempt.httpStatus,
    duration_ms: attempt.durationMs,
  };
  if (outcome === 'delivered') logger.debug(fields, 'webhook delivered');
  else logger.info({ ...fields, error: attempt.error }, 'webhook attempt failed');
}

function idsOf(claimed: ClaimedDelivery) {
  return {
    project_id: String(claimed.projectId),
    delivery_id: String(claimed.id),
    event_id: claimed.eventPublicId,
    ...(claimed.requestId === null ? {} : { request_id: claimed.requestId }),
  };
}
