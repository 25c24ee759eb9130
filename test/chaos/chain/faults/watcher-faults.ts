import type { StackService } from '@paywatch/dev/stack';
import type { ChainHistory } from '../chain-history.ts';
import { CLOCK_SKEW_MS, type ChainStage } from '../chain-stage.ts';
import { skewOf } from '../clocks/skewed-clock.ts';
import {
  isCalm,
  troubleProcesses,
  type FaultCounts,
  type Victim,
  type VictimState,
} from '../../shared/process-faults.ts';

/** The duration of a blackout. The first is longer than a view stays fresh, so no invoice expires by it. */
const FIRST_BLACKOUT_MS = 33_000;
const BLACKOUT_MS = 8000;
const LONGEST_FREEZE_MS = 7000;
const BETWEEN_BLACKOUTS_MS = 25_000;
const CHECK_EVERY_MS = 250;

/** What was done to watchers and workers. */
export type WatcherFaults = FaultCounts & {
  blackouts: number;
  /** How long the watchers took to start after one, at most. */
  slowestStartMs: number;
  /** Processes that ran with a wrong clock. */
  skewed: ReadonlySet<number>;
};

/**
 * Takes all watchers away for a while, then kills and freezes watchers and workers one by one, again and again, and writes into the
 * histories when none of the watchers could look. All run when it resolves.
 */
export async function breakWatchers(
  { stack }: ChainStage,
  histories: readonly ChainHistory[],
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<WatcherFaults> {
  const faults = { kills: 0, freezes: 0, blackouts: 0, slowestStartMs: 0, skewed: new Set<number>() };
  const { watcher: watchers, webhookWorker: workers } = stack.services;
  for (let round = 0; !signal.aborted; round += 1) {
    const ms = round === 0 ? FIRST_BLACKOUT_MS : BLACKOUT_MS;
    const startMs = await takeAllAway(watchers, histories, ms, signal);
    faults.slowestStartMs = Math.max(faults.slowestStartMs, startMs);
    faults.blackouts += 1;
    for (const { pid } of [...watchers, ...workers].map((service) => service.process()))
      if (skewOf(pid, CLOCK_SKEW_MS) !== 0) faults.skewed.add(pid);
    const next = new AbortController();
    void untilNextBlackout(histories, signal).then(() => next.abort());
    const victims = victimsOf(watchers, workers, histories);
    const counts = await troubleProcesses(victims, { seed: seed + 10 * round, signal: next.signal });
    faults.kills += counts.kills;
    faults.freezes += counts.freezes;
  }
  return faults;
}

/** Answers how long they took to start again. */
async function takeAllAway(
  watchers: readonly StackService[],
  histories: readonly ChainHistory[],
  ms: number,
  signal: AbortSignal,
): Promise<number> {
  for (const history of histories) history.setOutage(true);
  await Promise.all(watchers.map((watcher) => watcher.kill()));
  await isCalm(ms, signal);
  for (const history of histories) history.noteStart();
  const sinceMs = Date.now();
  await Promise.all(watchers.map((watcher) => watcher.restart()));
  for (const history of histories) history.setOutage(false);
  return Date.now() - sinceMs;
}

/** Later on a slow machine: each chain was polled between two of them. */
async function untilNextBlackout(histories: readonly ChainHistory[], signal: AbortSignal): Promise<void> {
  const sinceMs = Date.now();
  await isCalm(BETWEEN_BLACKOUTS_MS, signal);
  const isSeen = (history: ChainHistory): boolean => history.surelyLooked(sinceMs, Date.now());
  while (!histories.every(isSeen) && (await isCalm(CHECK_EVERY_MS, signal)));
}

/** While each watcher is killed or frozen at random, no poll is certain. */
function victimsOf(
  watchers: readonly StackService[],
  workers: readonly StackService[],
  histories: readonly ChainHistory[],
): Victim[] {
  const states = new Map<StackService, VictimState>();
  const isOutNow = (): boolean => watchers.every((each) => (states.get(each) ?? 'back') !== 'back');
  const onAway = (service: StackService, state: VictimState): void => {
    const wasOut = isOutNow();
    states.set(service, state);
    const isOut = isOutNow();
    if (isOut !== wasOut) for (const history of histories) history.setOutage(isOut);
    if (isOut && states.values().some((each) => each === 'starting'))
      for (const history of histories) history.noteStart();
  };
  return [
    ...watchers.map((service) => ({
      service,
      longestFreezeMs: LONGEST_FREEZE_MS,
      onAway: (state: VictimState) => onAway(service, state),
    })),
    ...workers.map((service) => ({ service, longestFreezeMs: LONGEST_FREEZE_MS })),
  ];
}
