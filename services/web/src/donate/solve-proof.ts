import type { ProofOfWork } from '@paywatch/domain/contract';
import { sha256Head } from './sha256-head.ts';

/** The page stays alive between slices. Not in a worker: the policy of the pages lets no script be loaded by name. */
const SLICE_MS = 10;
const TRIES_BETWEEN_LOOKS = 256;

/**
 * Finds a solution of a challenge; half a second of a phone's time at the usual difficulty. `onProgress` is told how likely it was
 * to be solved by now, from 0 to 1: that grows steadily, while nobody knows when it ends.
 */
export async function solveProof(
  { challenge, difficulty }: Pick<ProofOfWork, 'challenge' | 'difficulty'>,
  onProgress: (share: number) => void,
): Promise<string> {
  for (let tried = 0; ;) {
    const endMs = performance.now() + SLICE_MS;
    do {
      const solved = solveAmong(challenge, difficulty, tried, TRIES_BETWEEN_LOOKS);
      if (solved !== null) return solved;
      tried += TRIES_BETWEEN_LOOKS;
    } while (performance.now() < endMs);
    onProgress(1 - Math.exp(-tried / 2 ** difficulty));
    await nextTurn();
  }
}

/** Tries `count` numbers from `first` on; null where none of them is a solution. Pure. */
export function solveAmong(
  challenge: string,
  difficulty: number,
  first: number,
  count: number,
): string | null {
  for (let number = first; number < first + count; number += 1) {
    const text = `${challenge}.${number}`;
    if (Math.clz32(sha256Head(text)) >= difficulty) return text;
  }
  return null;
}

/** Timers are slowed down to a second and more in a tab that is not looked at; messages are not. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
