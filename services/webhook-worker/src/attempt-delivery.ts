import type { AllowedHosts } from '@paywatch/domain';
import { pause, randomFraction, SealingError, type Clock, type Logger, type Sealer } from '@paywatch/runtime';
import {
  claimDeliveries,
  isDatabaseUnavailable,
  putBackDeliveries,
  recordAttempts,
  reportEndpoints,
  setAside,
  type ClaimedDelivery,
  type Store,
} from '@paywatch/store';
import type { AttemptGate } from './attempt-gate.ts';
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
import type { Sender } from './send-request.ts';

export type AttemptDeps = {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  logger: Logger;
  sender: Sender;
  gate: AttemptGate;
  metrics: DeliveryMetrics;
  allowedHosts: AllowedHosts;
  /** How long a claim holds: longer than an attempt can take, and shorter than the lease of a relay. */
  claimSeconds: number;
  /** Told when a delivery was put back for a while. */
  onPutBack: (delayMs: number) => void;
};

export type DeliveryJob = { deliveryId: bigint; projectId: string };

/**
 * Makes what one job asks for: at most one attempt. Safe to run twice at once, late, or for a delivery that is done: the
 * claim in Postgres decides. Throws when Postgres is away for longer than a moment; the delivery then comes round again.
 */
export function createAttemptDelivery(deps: AttemptDeps): (job: DeliveryJob) => Promise<void> {
  const writes = batchWrites(deps);
  return async ({ deliveryId, projectId }) => {
    const admission = await deps.gate.enter(projectId);
    if (admission.kind === 'put_back') {
      deps.metrics.setAside.inc({ reason: 'busy' });
      await writes.putBack({ id: deliveryId, delayMs: admission.delayMs });
      return deps.onPutBack(admission.delayMs);
    }
    const place = holdPlace(admission.leave);
    try {
      const claimed = await writes.claim(deliveryId);
      if (claimed === null) return deps.metrics.setAside.inc({ reason: 'claimed' });
      await attempt(deps, writes, claimed, place);
    } finally {
      place.leave(null);
    }
  };
}

type Writes = ReturnType<typeof batchWrites>;

/** What all jobs write and read, gathered into few statements. */
function batchWrites({ store, claimSeconds }: AttemptDeps) {
  const options = { maxSize: 200, maxRunning: 2 };
  return {
    claim: createBatcher(async (ids: bigint[]) => {
      const claimed = new Map((await claimDeliveries(store, ids, claimSeconds)).map((row) => [row.id, row]));
      return ids.map((id) => claimed.get(id) ?? null);
    }, options),
    putBack: createBatcher(async (some: { id: bigint; delayMs: number }[]) => {
      await putBackDeliveries(store, some);
      return some.map(() => undefined);
    }, options),
    record: createBatcher(async (conclusions: Conclusion[]) => {
      await recordAttempts(
        store,
        conclusions.map((conclusion) => conclusion.attempt),
      );
      await reportEndpoints(
        store,
        conclusions.flatMap((conclusion) => conclusion.endpoint ?? []),
      );
      return conclusions.map(() => undefined);
    }, options),
  };
}

type Place = { leave(heldMs: number | null): void };

function holdPlace(leave: (heldMs: number | null) => void): Place {
  let isHeld = true;
  return {
    leave: (heldMs) => {
      if (isHeld) leave(heldMs);
      isHeld = false;
    },
  };
}

async function attempt(
  deps: AttemptDeps,
  writes: Writes,
  claimed: ClaimedDelivery,
  place: Place,
): Promise<void> {
  const claimedAt = performance.now();
  const prepared = await prepareOrSetAside(deps, writes, claimed);
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
  await keepTrying(() => writes.record(conclusion));
  deps.metrics.attempts.inc({ outcome: conclusion.outcome });
  logAttempt(deps.logger, claimed, conclusion);
}

/** Null, and the delivery rests, where there is no endpoint to send to or its secret cannot be opened. */
async function prepareOrSetAside(
  deps: AttemptDeps,
  writes: Writes,
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
    await writes.putBack({ id: claimed.id, delayMs: UNREADABLE_DELAY_MS });
  }
  return null;
}

const UNREADABLE_DELAY_MS = 300_000;

/** For as long as the claim lasts, nearly: an attempt that was made and is not recorded is made again. */
async function keepTrying(write: () => Promise<void>): Promise<void> {
  for (const delayMs of WRITE_DELAYS_MS) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(delayMs + randomFraction() * delayMs);
    }
  }
  await write();
}

const WRITE_DELAYS_MS = [50, 200, 500, 1000, 2000];

/** Ids and the host: a URL's path may be a secret of the merchant's. */
function logAttempt(logger: Logger, claimed: ClaimedDelivery, { outcome, attempt: made }: Conclusion): void {
  const fields = {
    ...idsOf(claimed),
    outcome,
    host: URL.parse(made.url)?.host,
    httpStatus: made.httpStatus,
    durationMs: made.durationMs,
  };
  if (outcome === 'delivered') logger.debug(fields, 'webhook delivered');
  else logger.info({ ...fields, error: made.error }, 'webhook attempt failed');
}

function idsOf(claimed: ClaimedDelivery) {
  return {
    projectId: String(claimed.projectId),
    deliveryId: String(claimed.id),
    eventId: claimed.eventPublicId,
  };
}
