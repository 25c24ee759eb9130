import type { Delay } from '../judge/chain-deadlines.ts';
import type { ChainHistory } from '../chain-history.ts';

/** A view is stale when the chain gave no good answer for so long. */
const FRESH_MS = 30_000;
/** Some watcher polls within this time without faults, even after a frozen leader. */
const SURELY_LOOKED_MS = 20_000;
/** On a slow machine it is so many times as long as watchers take to start. */
const STARTS_TO_LOOK = 8;
/** How late a look's trace may be: the answer that payers get, the driver's own question. */
const SLACK_MS = 5000;
/** What two answers say that are so close was said in between, too. */
const SAME_WITHIN_MS = 3000;

/** An answer of the payers' page, and the moments between which it was given. */
export type DelayAnswer = { isDelayed: boolean; fromMs: number; toMs: number };

/**
 * Faults in the `delayed` flag of payment pages: delayed although a watcher provably polled, or not delayed although none can
 * have polled. `slowestStartMs`: the longest start of a watcher, a measure of the machine's speed.
 */
export function judgeDelays(
  answers: readonly DelayAnswer[],
  { calmBetween, mayHaveLooked }: Pick<ChainHistory, 'calmBetween' | 'mayHaveLooked'>,
  slowestStartMs = 0,
): string[] {
  const surelyLookedMs = Math.max(SURELY_LOOKED_MS, STARTS_TO_LOOK * slowestStartMs);
  const withinMs = FRESH_MS - SLACK_MS + surelyLookedMs - SURELY_LOOKED_MS;
  return answers.flatMap(({ isDelayed, fromMs, toMs }) => {
    const hadToLook = calmBetween(fromMs - withinMs, fromMs) >= surelyLookedMs;
    const couldLook = mayHaveLooked(fromMs - FRESH_MS - SLACK_MS, toMs);
    const at = new Date(fromMs).toISOString();
    if (isDelayed && hadToLook) return [`chain_delayed at ${at}, but the chain was surely looked at`];
    if (!isDelayed && !couldLook) return [`no chain_delayed at ${at}, but nobody could look`];
    return [];
  });
}

/** Read times on the status page at which no watcher can have polled. */
export function judgeReads({
  reads,
  mayHaveLooked,
}: Pick<ChainHistory, 'reads' | 'mayHaveLooked'>): string[] {
  return reads
    .filter((ms) => !mayHaveLooked(ms - SLACK_MS, ms + SLACK_MS))
    .map((ms) => `read_at ${new Date(ms).toISOString()}, but nobody could look then`);
}

/**
 * The times in which the page reported a delay, or may have done so unobserved: each lasts from the last response without it to
 * the first one after it, and is open if there is none.
 */
export function delaysOf(answers: readonly DelayAnswer[]): Delay[] {
  const delays: Delay[] = [];
  const add = (fromMs: number, toMs: number): void => {
    const last = delays.at(-1);
    if (last && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else delays.push({ fromMs, toMs });
  };
  for (const [index, answer] of answers.entries()) {
    const before = answers[index - 1] ?? answer;
    const isUnheard = answer.toMs - before.fromMs > SAME_WITHIN_MS;
    if (before.isDelayed || answer.isDelayed || isUnheard) add(before.fromMs, answer.toMs);
  }
  if (answers.at(-1)?.isDelayed) add(answers.at(-1)?.fromMs ?? 0, Infinity);
  return delays;
}
