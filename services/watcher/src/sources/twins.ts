import type { SourceIdentity } from './chain-source.ts';

/** By how much the reported start of one server differs from question to question. */
const START_ERROR_MS = 2500;

/** One source, and what it says of itself; sources of another kind are always told apart. */
export type Identified = { name: string; kind: string; identity: SourceIdentity | null };

/**
 * Sources that nothing tells apart from another one: they may be one server behind two names, whose agreement means nothing.
 * Answers the name of the other one by the name of each; pure.
 */
export function findTwins(sources: readonly Identified[]): Map<string, string> {
  return new Map(
    sources.flatMap((source) => {
      const twin = sources.find((other) => other !== source && areAlike(source, other));
      return twin ? [[source.name, twin.name] as const] : [];
    }),
  );
}

function areAlike(a: Identified, b: Identified): boolean {
  if (a.kind !== b.kind || a.identity?.traits !== b.identity?.traits) return false;
  const [aStart, bStart] = [a.identity?.startedMs ?? null, b.identity?.startedMs ?? null];
  if (aStart === null || bStart === null) return aStart === bStart;
  return Math.abs(aStart - bStart) <= START_ERROR_MS;
}
