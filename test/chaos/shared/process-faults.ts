import type { StackService } from '@paywatch/dev/stack';
import { createSeededRandom, waitUntil, type SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';

/** The number of faults by kind. */
export type FaultCounts = { kills: number; freezes: number };

/** A process and the longest freeze. `onAway` is called when the process is unavailable and when it is surely available again. */
export type Victim = {
  service: StackService;
  longestFreezeMs: number;
  onAway?: (state: VictimState) => void;
};
export type VictimState = 'away' | 'starting' | 'back';

/** After a start a process gets no fault for this multiple of the start's duration. */
const STARTS_OF_CALM = 2;

/**
 * Kills each victim (SIGKILL, then a new process) or freezes it (SIGSTOP, later SIGCONT), at random and independently of the others,
 * until the signal aborts. All victims run when it resolves.
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
  // On a slow machine everything takes longer: a process that is killed before it did anything tests nothing.
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
      // Squared: most freezes are short, a few are longer than every lease.
      await freeze(service.process(), 500 + random.fraction() ** 2 * longestFreezeMs, signal);
    }
    onAway?.('back');
  }
}

/** Restarts a service until it is up: it exits if Redis or Postgres is unavailable during its start. */
async function restartAsSupervisor(service: StackService): Promise<void> {
  const restart = () => service.restart().then(() => true);
  await waitUntil(restart, { what: `${service.name} to come up`, everyMs: 500 });
}

/** Freezes a process, and resumes it after `ms` or when the signal aborts. */
export async function freeze(
  victim: { signal(name: NodeJS.Signals): void },
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  victim.signal('SIGSTOP');
  await isCalm(ms, signal);
  victim.signal('SIGCONT');
}

/** Sleeps; returns false if the signal aborted. */
export async function isCalm(ms: number, signal: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}
