import type { Figure, Measure, MeasurementOptions, Terminal } from '@paywatch/dev/commands';
import { createSeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkDeliveries } from './check-deliveries.ts';
import { causeExpiries, setDeliveryStage, skipRetryDelays, type DeliveryStage } from './delivery-stage.ts';
import { isCalm, troubleProcesses, type FaultCounts } from '../shared/process-faults.ts';
import { faultFigures, verdict } from '../shared/verdict.ts';

/*
 * Inserts invoices whose deadline has passed. Watchers expire them and workers deliver the events, while all of these processes are
 * killed and frozen, Redis is emptied every ten seconds, and the merchant's server fails one request in eight. After the faults, the
 * caused outcomes are compared with those that the merchant accepted. Neither list comes from Paywatch's tables.
 */

const EVENTS = 20_000;
const FAULT_SECONDS = 120;
const FLUSH_EVERY_MS = 10_000;
const BATCH_EVERY_MS = 250;
/** Longer than any lock, claim or lease that a killed process can leave behind. */
const QUIET_MS = 180_000;
/** Longer than a claim, so that others make a delivery before its frozen worker continues. */
const LONGEST_FREEZE_MS = { watcher: 8000, worker: 40_000 };

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const random = createSeededRandom(options.seed);
  const counts = { shops: 40, watchers: 2, workers: 3 };
  const stage = await options.terminal.step('Starting Postgres, Redis, a node, watchers and workers', () =>
    setDeliveryStage(parts, counts, random),
  );
  const { caused, flushes, processes } = await trouble(stage, options);
  stage.merchant.recover();
  await options.terminal.step(
    'Waiting for what is still on its way',
    () => waitForDeliveries(stage, caused),
    () => `${stage.merchant.countTaken()} of ${caused.size} taken`,
  );
  return judge(stage, caused, { flushes, ...processes });
};

type History = { caused: ReadonlySet<string>; flushes: number; processes: FaultCounts };

/** Causes outcomes and faults concurrently. */
async function trouble(stage: DeliveryStage, options: MeasurementOptions): Promise<History> {
  const total = Math.ceil(EVENTS * options.share);
  const seconds = options.seconds ?? Math.ceil(FAULT_SECONDS * options.share);
  const ending = new AbortController();
  const { signal } = ending;
  const troubled = Promise.all([
    flushRedis(stage, signal),
    skipDelays(stage, signal),
    troubleProcesses(victimsOf(stage), { seed: options.seed, signal }),
  ]);
  try {
    const caused = await causeOutcomes(stage, { total, seconds }, options.terminal);
    ending.abort();
    const [flushes, , processes] = await troubled;
    return { caused, flushes, processes };
  } finally {
    ending.abort();
  }
}

function victimsOf({ watchers, workers }: DeliveryStage) {
  return [
    ...watchers.map((service) => ({ service, longestFreezeMs: LONGEST_FREEZE_MS.watcher })),
    ...workers.map((service) => ({ service, longestFreezeMs: LONGEST_FREEZE_MS.worker })),
  ];
}

/** Causes outcomes at a steady rate. Counts only committed ones. */
async function causeOutcomes(
  { store, projectIds, merchant }: DeliveryStage,
  { total, seconds }: { total: number; seconds: number },
  terminal: Terminal,
): Promise<Set<string>> {
  const caused = new Set<string>();
  const batches = Math.ceil((seconds * 1000) / BATCH_EVERY_MS);
  const startedMs = performance.now();
  for (let batch = 1; batch <= batches; batch += 1) {
    const count = Math.round((total * batch) / batches) - caused.size;
    for (const id of await causeExpiries(store, projectIds, count)) caused.add(`${id} invoice.expired`);
    if (batch % (10_000 / BATCH_EVERY_MS) === 0)
      terminal.done(`${caused.size} caused, ${merchant.countTaken()} taken`, performance.now() - startedMs);
    await sleep(Math.max(0, startedMs + batch * BATCH_EVERY_MS - performance.now()));
  }
  return caused;
}

async function flushRedis({ redis }: DeliveryStage, signal: AbortSignal): Promise<number> {
  let flushes = 0;
  while (await isCalm(FLUSH_EVERY_MS, signal)) {
    await redis.flush();
    flushes += 1;
  }
  return flushes;
}

/** Retries after a second failure wait for minutes; this makes them due during the faults. */
async function skipDelays({ store }: DeliveryStage, signal: AbortSignal): Promise<void> {
  while (await isCalm(3000, signal)) await skipRetryDelays(store);
}

/** Waits until all outcomes are accepted, or until no more can arrive. */
async function waitForDeliveries(stage: DeliveryStage, caused: ReadonlySet<string>): Promise<void> {
  const untilMs = performance.now() + QUIET_MS;
  while (stage.merchant.countTaken() < caused.size && performance.now() < untilMs) {
    await skipRetryDelays(stage.store);
    await sleep(500);
  }
  // Repeated deliveries may still arrive, with another id or body.
  await sleep(3000);
}

function judge(
  { merchant }: DeliveryStage,
  caused: ReadonlySet<string>,
  faults: FaultCounts & { flushes: number },
): Figure[] {
  const counts = checkDeliveries(caused, merchant.arrivals);
  return [
    { name: 'operations', value: caused.size },
    ...faultFigures(faults),
    { name: 'requests', value: merchant.arrivals.length },
    { name: 'requests_failed', value: merchant.arrivals.filter(({ isTaken }) => !isTaken).length },
    { name: 'duplicates', value: counts.repeated },
    ...verdict({
      outcomes_missing: counts.missing,
      outcomes_with_two_event_ids: counts.twoEventIds,
      event_ids_with_two_bodies: counts.twoBodies,
      outcomes_nobody_caused: counts.uncaused,
      signatures_refused: merchant.countUnverified(),
    }),
  ];
}
