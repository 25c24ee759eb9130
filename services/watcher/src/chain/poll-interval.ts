/** What the pause before the next poll depends on, in milliseconds. */
export type Pace = {
  /** The pause before the last poll. */
  pauseMs: number;
  /** The longest pause, which bounds the delay that payers see. */
  longestMs: number;
  /** The shortest pause that the source accepts. */
  shortestMs: number;
  /** How long the last poll took. */
  lookMs: number;
  /** Whether the last poll found something new. */
  hasNews: boolean;
};

/** The pause after news is the longest pause divided by this. */
const POLL_SPEEDUP = 5;

/**
 * The pause until the next poll. Pure. Events come in groups: after news the source is polled sooner, then ever more slowly
 * while nothing new comes. The pause is at least as long as the last poll took, up to the longest pause, so that polls do not
 * overload a slow source.
 */
export function nextPollPauseMs({ pauseMs, longestMs, shortestMs, lookMs, hasNews }: Pace): number {
  const wanted = hasNews ? longestMs / POLL_SPEEDUP : pauseMs * 2;
  return Math.max(shortestMs, Math.min(longestMs, Math.max(wanted, lookMs)));
}
