/** What the pause before the next look depends on. Milliseconds. */
export type Pace = {
  /** The pause that was made before the look that has just ended. */
  pauseMs: number;
  /** The longest pause: what payers are promised. */
  longestMs: number;
  /** The shortest that the source's owner can be asked for. */
  shortestMs: number;
  /** How long the look took. */
  lookMs: number;
  /** The look found something that was not there before. */
  hasNews: boolean;
};

/** Pauses right after something happened are this much shorter than the longest. */
const HASTE = 5;

/**
 * How long to wait until the source is looked at again. Pure. What happens seldom comes alone: after news the source is
 * looked at sooner, and then ever more slowly while nothing more comes. A source for which a look is work is given as
 * much rest as the look took, up to the longest pause.
 */
export function nextPauseMs({ pauseMs, longestMs, shortestMs, lookMs, hasNews }: Pace): number {
  const wanted = hasNews ? longestMs / HASTE : pauseMs * 2;
  return Math.max(shortestMs, Math.min(longestMs, Math.max(wanted, lookMs)));
}
