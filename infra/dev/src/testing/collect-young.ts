import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' }) => void;

/** Collects what is young, as it happens many times a second under load: what survives two of these counts as old. */
export async function collectYoung(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  for (let time = 0; time < 3; time += 1) {
    // What a WeakRef has shown lives until the end of the turn.
    await new Promise(setImmediate);
    collect({ type: 'minor' });
  }
}

/** How many of these are still there. */
export function countAlive(things: readonly WeakRef<object>[]): number {
  return things.filter((thing) => thing.deref() !== undefined).length;
}
