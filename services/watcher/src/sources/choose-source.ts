/** What is known of one source when it is chosen from several. */
export type SourceStanding = {
  /** The operator's order: 0 for nodes, 1 for what stands in for them. Sources of one rank are as good as each other. */
  rank: number;
  /** It says where its tip is, on the right network. */
  answers: boolean;
  /** Why nothing is read from it, null where it can be read. */
  fault: string | null;
  /** It has had less validated work than another one of its rank for so long that it is stuck, or on a fork. */
  isLagging: boolean;
  /** Something that was read from it lately failed. */
  isDistrusted: boolean;
};

/**
 * Which source to read from, as an index; null where none can be read. Pure. Nothing of a lower rank is read while a
 * source of a higher rank answers, whatever work it shows: changing the chain that is followed is the operator's decision.
 * Within a rank it stays with `current` while nothing is wrong with it: each change costs a read of the whole mempool.
 */
export function chooseSource(standings: readonly SourceStanding[], current: number | null): number | null {
  const rank = Math.min(...standings.filter(({ answers }) => answers).map((standing) => standing.rank));
  const usable = standings
    .map((standing, index) => ({ ...standing, index, grade: gradeOf(standing) }))
    .filter((standing) => standing.rank === rank && standing.fault === null);
  const best = Math.min(...usable.map(({ grade }) => grade));
  const good = usable.filter(({ grade }) => grade === best);
  return (good.find(({ index }) => index === current) ?? good[0])?.index ?? null;
}

/** A chain with less work misleads more than a source that failed lately and answers again. */
function gradeOf({ isLagging, isDistrusted }: SourceStanding): number {
  return (isLagging ? 2 : 0) + (isDistrusted ? 1 : 0);
}

/** Whether one of the others has more validated work. */
export function hasLessWork(own: bigint, others: readonly bigint[]): boolean {
  return others.some((other) => own < other);
}
