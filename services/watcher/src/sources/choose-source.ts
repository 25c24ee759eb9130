/** What the choice between several sources depends on. */
export type SourceCandidate = {
  /** The operator's order: 0 for nodes, 1 for their stand-ins. Sources of one rank are equally good. */
  rank: number;
  /** It reports a tip on the right network. */
  answers: boolean;
  /** Why it cannot be read; null if it can. */
  fault: string | null;
  /** It has had less validated work than another source of its rank for so long that it is stuck or on a fork. */
  isLagging: boolean;
  /** A read from it failed recently. */
  isCoolingDown: boolean;
};

/**
 * Returns the index of the source to read from, or null if none can be read. Pure. While a source of a higher rank responds,
 * none of a lower rank is read, whatever work it shows: only the operator decides to follow another chain.
 * Within a rank, `current` is kept while nothing is wrong with it, because every change costs a read of the whole mempool.
 */
export function chooseSource(candidates: readonly SourceCandidate[], current: number | null): number | null {
  const rank = Math.min(...candidates.filter(({ answers }) => answers).map((candidate) => candidate.rank));
  const usable = candidates
    .map((candidate, index) => ({ ...candidate, index, grade: gradeOf(candidate) }))
    .filter((candidate) => candidate.rank === rank && candidate.fault === null);
  const best = Math.min(...usable.map(({ grade }) => grade));
  const good = usable.filter(({ grade }) => grade === best);
  return (good.find(({ index }) => index === current) ?? good[0])?.index ?? null;
}

/** Less work weighs more than a recent failure: a wrong chain misleads, a failed read does not. */
function gradeOf({ isLagging, isCoolingDown }: SourceCandidate): number {
  return (isLagging ? 2 : 0) + (isCoolingDown ? 1 : 0);
}

/** Whether one of the other sources has more validated work. */
export function hasLessWork(own: bigint, others: readonly bigint[]): boolean {
  return others.some((other) => own < other);
}
