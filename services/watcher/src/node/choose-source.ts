/** What is known of one source when it is chosen from several. */
export type SourceStanding = {
  /** The operator's order: lower is asked first. Sources of one rank are as good as each other. */
  rank: number;
  /** Why nothing can be read from it: it does not answer, is on another network, or is still downloading. */
  fault: string | null;
  /** Its chain has been less than another's for so long that it is stuck, or on a fork with less work. */
  isLagging: boolean;
  /** It answers, but something that was read from it lately failed. */
  isDistrusted: boolean;
  /** It has been good for so long that one goes back to it. */
  isProven: boolean;
};

/**
 * Which source to read from, as an index; null where none can be read. Pure. It stays with `current` while nothing is
 * wrong with it: every change of source costs a look at all of the mempool, and may show another side of a fork.
 */
export function chooseSource(standings: readonly SourceStanding[], current: number | null): number | null {
  const candidates = standings.map((standing, index) => ({ ...standing, index, grade: gradeOf(standing) }));
  const usable = candidates.filter(({ fault }) => fault === null);
  const best = Math.min(...usable.map(({ grade }) => grade));
  const good = usable
    .filter(({ grade }) => grade === best)
    .toSorted((a, b) => a.rank - b.rank || a.index - b.index);
  const kept = good.find(({ index }) => index === current);
  const preferred = kept ? good.find(({ rank, isProven }) => rank < kept.rank && isProven) : good[0];
  return (preferred ?? kept)?.index ?? null;
}

/** A chain that is behind misleads more than a source that failed lately and answers again. */
function gradeOf({ isLagging, isDistrusted }: SourceStanding): number {
  return (isLagging ? 2 : 0) + (isDistrusted ? 1 : 0);
}

/** How much of a chain a source has. */
type Extent = { height: number; work: bigint | null };

/**
 * Whether a source has less of the chain than one of the others: less work, or where one of the two does not tell its work, fewer
 * blocks. Those order chains alike as long as both have the same difficulty.
 */
export function isOutdone(own: Extent, others: readonly Extent[]): boolean {
  return others.some((other) =>
    own.work === null || other.work === null ? own.height < other.height : own.work < other.work,
  );
}
