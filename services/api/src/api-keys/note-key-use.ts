import { touchApiKey } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';

const ONCE_IN_MS = 60_000;
/** Above it the notes begin anew; a key is then written a little more often than needed. */
const MAX_NOTES = 10_000;

const notesOf = new WeakMap<Dependencies, Map<bigint, number>>();

/** Writes `last_used_at` at most once a minute for each key and replica. Nobody waits for it and its failure fails nothing. */
export function noteKeyUse(dependencies: Dependencies, apiKeyId: bigint): void {
  const nowMs = dependencies.clock.nowMs();
  const notes = notesFor(dependencies);
  const notedAtMs = notes.get(apiKeyId);
  if (notedAtMs !== undefined && nowMs - notedAtMs < ONCE_IN_MS) return;
  if (notes.size >= MAX_NOTES) notes.clear();
  notes.set(apiKeyId, nowMs);
  touchApiKey(dependencies.store, apiKeyId).catch((err: unknown) => {
    notes.delete(apiKeyId);
    dependencies.logger.debug({ err }, 'could not note the use of a key');
  });
}

function notesFor(dependencies: Dependencies): Map<bigint, number> {
  const notes = notesOf.get(dependencies) ?? new Map<bigint, number>();
  notesOf.set(dependencies, notes);
  return notes;
}
