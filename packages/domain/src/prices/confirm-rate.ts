import { isWithin, RATE_MAX_AGE_MS, type RateReading } from './combine-quotes.ts';

/** A rate in units of 10^-12 and when its sources were read. */
export type TakenRate = { value: bigint; sources: readonly string[]; takenAtMs: number };

/** What is known about the rate of a pair. */
export type RateState = {
  /** The last rate that was accepted; null before the first. */
  accepted: TakenRate | null;
  /** A rate more than 10 % from the accepted one that waits for a second reading. */
  candidate: Omit<TakenRate, 'sources'> | null;
  /** Why no invoice may use the accepted rate even while it is recent; null if it may be used. */
  withheld: 'disagreement' | 'jump' | null;
};

const JUMP_LIMIT = { numerator: 10n, denominator: 100n };
/** A second reading confirms a jump if it differs from the first by no more. */
const CONFIRMED_WITHIN = { numerator: 2n, denominator: 100n };

/** The clock of Postgres may be set back by less without any doubt about the age of a rate. */
const MAX_RATE_AHEAD_MS = 1000;

/**
 * Whether orders may be priced with the accepted rate. One from the future was taken before the clock was set back, so its age
 * is unknown.
 */
export function isUsableRate({ withheld, ageMs }: Pick<RateState, 'withheld'> & { ageMs: number }): boolean {
  return withheld === null && ageMs <= RATE_MAX_AGE_MS && ageMs >= -MAX_RATE_AHEAD_MS;
}

/**
 * The next state after a reading. Pure.
 *
 * - Too few responses: the accepted rate stays usable until it is two minutes old.
 * - Sources disagree: the accepted rate is withheld at once, because one of them may have moved first.
 * - A jump of more than 10 %: withheld until a later reading agrees with it, or returns to the accepted rate.
 *
 * An accepted rate of any age counts for the jump: after an outage, too, the first reading is confirmed by a second one.
 */
export function confirmRate(state: RateState, reading: RateReading, takenAtMs: number): RateState {
  if (reading.kind === 'refused') return afterRefusal(state, reading.reason);
  const taken = { value: reading.value, sources: reading.sources, takenAtMs };
  return isJump(state.accepted, taken.value) && !confirms(state.candidate, taken)
    ? { accepted: state.accepted, candidate: { value: taken.value, takenAtMs }, withheld: 'jump' }
    : { accepted: taken, candidate: null, withheld: null };
}

function afterRefusal(state: RateState, reason: 'unavailable' | 'disagreement'): RateState {
  return reason === 'unavailable' ? state : { ...state, withheld: 'disagreement' };
}

function isJump(accepted: TakenRate | null, value: bigint): boolean {
  return accepted !== null && !isWithin(value, accepted.value, JUMP_LIMIT);
}

/** A reading of the same moment is no second one, and one long after the first no longer confirms it. */
function confirms(candidate: RateState['candidate'], { value, takenAtMs }: TakenRate): boolean {
  if (candidate === null || takenAtMs <= candidate.takenAtMs) return false;
  return (
    takenAtMs - candidate.takenAtMs <= RATE_MAX_AGE_MS && isWithin(value, candidate.value, CONFIRMED_WITHIN)
  );
}
