import { touchApiKey } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';

const MIN_INTERVAL_MS = 60_000;
/** Above this number all entries are dropped; keys are then written slightly more often than necessary. */
const MAX_ENTRIES = 10_000;

/** When each key was last written, by replica. */
const lastWrites = new WeakMap<Dependencies, Map<bigint, number>>();

/** Updates when and from which address a key was last used, at most once a minute per replica. Not awaited; a failure is only logged. */
export function recordKeyUse(dependencies: Dependencies, apiKeyId: bigint, address: string | null): void {
  const nowMs = dependencies.clock.nowMs();
  const writes = lastWritesOf(dependencies);
  const writtenAtMs = writes.get(apiKeyId);
  if (writtenAtMs !== undefined && nowMs - writtenAtMs < MIN_INTERVAL_MS) return;
  if (writes.size >= MAX_ENTRIES) writes.clear();
  writes.set(apiKeyId, nowMs);
  touchApiKey(dependencies.store, apiKeyId, address).catch((err: unknown) => {
    writes.delete(apiKeyId);
    dependencies.logger.debug({ err }, 'last use of an API key not recorded');
  });
}

function lastWritesOf(dependencies: Dependencies): Map<bigint, number> {
  const writes = lastWrites.get(dependencies) ?? new Map<bigint, number>();
  lastWrites.set(dependencies, writes);
  return writes;
}
