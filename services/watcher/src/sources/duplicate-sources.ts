import type { SourceIdentity } from './chain-source.ts';

/** By how much the reported start time of one server may differ between two requests. */
const START_TOLERANCE_MS = 2500;

/** One source and how it identifies itself. Sources of different kinds are never duplicates. */
export type Identified = { name: string; kind: string; identity: SourceIdentity | null };

/**
 * Finds sources that cannot be distinguished: two names may lead to one server, which would only agree with itself.
 * Returns the name of the other source by the name of each. Pure.
 */
export function findDuplicates(sources: readonly Identified[]): Map<string, string> {
  return new Map(
    sources.flatMap((source) => {
      const other = sources.find((candidate) => candidate !== source && areAlike(source, candidate));
      return other ? [[source.name, other.name] as const] : [];
    }),
  );
}

function areAlike(a: Identified, b: Identified): boolean {
  if (a.kind !== b.kind || a.identity?.traits !== b.identity?.traits) return false;
  const [aStart, bStart] = [a.identity?.startedMs ?? null, b.identity?.startedMs ?? null];
  if (aStart === null || bStart === null) return aStart === bStart;
  return Math.abs(aStart - bStart) <= START_TOLERANCE_MS;
}
