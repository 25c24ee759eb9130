import type { StackService } from '@paywatch/dev/stack';
import { createSeededRandom, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';

/** What was done to processes. */
export type FaultCounts = { kills: number; freezes: number };

/** Which process is troubled, and for how long at most it is frozen. `onAway` hears when it can do nothing, and when it surely can again. */
export type Victim = {
  service: StackService;
  longestFreezeMs: number;
  onAway?: (state: VictimState) => void;
};
export type VictimState = 'away' | 'starting' | 'back';

/** After a start a process is left alone for so many times as long as it took. */
const STARTS_OF_CALM = 2;

/**
 * Kills each victim (SIGKILL, and a new process in its place) or freezes it (SIGSTOP, and SIGCONT after a while), at random and
 * independently of the others, until the signal aborts. All run again when it resolves.
 */
export async function troubleProcesses(
  victims: readonly Victim[],
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<FaultCounts> {
  const counts = { kills: 0, freezes: 0 };
  await Promise.all(
    victims.map((victim, index) =>
      troubleOne(victim, counts, { random: createSeededRandom(seed + 1 + index), signal }),
    ),
  );
  return counts;
}

async function troubleOne(
  { service, longestFreezeMs, onAway }: Victim,
  counts: FaultCounts,
  { random, signal }: { random: SeededRandom; signal: AbortSignal },
): Promise<void> {
  let startMs = 0;
  // A slow machine starts slowly, and does everything else slowly, too: one that is killed before it did anything shows nothing.
  while (await isCalm(2000 + random.integer(8000) + STARTS_OF_CALM * startMs, signal)) {
    onAway?.('away');
    if (random.happens(0.6)) {
      counts.kills += 1;
      await service.kill();
      onAway?.('starting');
      const sinceMs = Date.now();
      await restartAsSupervisor(service);
      startMs = Date.now() - sinceMs;
    } else {
      counts.freezes += 1;
      // Squared: most are short, a few outlast every lease.
      await freeze(service.process(), 500 + random.fraction() ** 2 * longestFreezeMs, signal);
    }
    onAway?.('back');
  }
}

/** Again where it does not come up: one that starts while Redis or Postgres is away ends at once, and says why. */
async function restartAsSupervisor(service: StackService): Promise<void> {
  const restart = () => service.restart().then(() => true);
  await waitUntil(restart, { what: `${service.name} to come up`, everyMs: 500 });
}

/** Stops a process where it is, and lets it go on after a while, or when the signal aborts. */
export async function freeze(
  victim: { signal(name: NodeJS.Signals): void },
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  victim.signal('SIGSTOP');
  await isCalm(ms, signal);
  victim.signal('SIGCONT');
}

/** False when the signal aborted meanwhile. */
export async function isCalm(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}
