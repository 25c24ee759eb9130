import type { Dependencies } from '../dependencies.ts';

const MIN_INTERVAL_MS = 60_000;
/** Above this number all entries are dropped; rows are then written slightly more often than necessary. */
const MAX_ENTRIES = 10_000;

/** When each credential was last written, by replica. */
const lastWrites = new WeakMap<Dependencies, Map<string, number>>();

/**
 * Writes the last use of a credential at most once a minute per replica. `name`: of the credential among all credentials. Not awaited; a
 * failure is only logged, and the next request tries again.
 */
export function onceAMinute(dependencies: Dependencies, name: string, write: () => Promise<void>): void {
  const nowMs = dependencies.clock.nowMs();
  const writes = lastWritesOf(dependencies);
  const writtenAtMs = writes.get(name);
  if (writtenAtMs !== undefined && nowMs - writtenAtMs < MIN_INTERVAL_MS) return;
  if (writes.size >= MAX_ENTRIES) writes.clear();
  writes.set(name, nowMs);
  write().catch((err: unknown) => {
    writes.delete(name);
    dependencies.logger.debug({ err }, 'last use of a credential not recorded');
  });
}

function lastWritesOf(dependencies: Dependencies): Map<string, number> {
  const writes = lastWrites.get(dependencies) ?? new Map<string, number>();
  lastWrites.set(dependencies, writes);
  return writes;
}
