import type { ProofOfWork } from '@paywatch/domain/contract';
import { sha256Head } from './sha256-head.ts';

/** Time per slice; the page handles input in between. A worker is not possible: Trusted Types block its script URL. */
const SLICE_MS = 10;
/** Hashes between two checks of the clock. */
const BATCH_SIZE = 256;

/**
 * Solves a proof-of-work challenge; about half a second on a phone at the usual difficulty. `onProgress` receives the
 * probability, 0 to 1, that a solution would have been found by now; the real end is random.
 */
export async function solveProof(
  { challenge, difficulty }: Pick<ProofOfWork, 'challenge' | 'difficulty'>,
  onProgress: (share: number) => void,
): Promise<string> {
  for (let tried = 0; ;) {
    const endMs = performance.now() + SLICE_MS;
    do {
      const solved = solveAmong(challenge, difficulty, tried, BATCH_SIZE);
      if (solved !== null) return solved;
      tried += BATCH_SIZE;
    } while (performance.now() < endMs);
    onProgress(1 - Math.exp(-tried / 2 ** difficulty));
    await yieldToEventLoop();
  }
}

/** Tries `count` numbers starting at `first`; null if none is a solution. Pure. */
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

/** Uses a MessageChannel: browsers throttle timers in background tabs to one per second or less. */
function yieldToEventLoop(): Promise<void> {
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
