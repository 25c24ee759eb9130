import type { Delay } from '../judge/chain-deadlines.ts';
import type { ChainHistory } from '../chain-history.ts';

/** A view is stale when the chain gave no good answer for so long. */
const FRESH_MS = 30_000;
/** Within so much calm somebody looks, however long a frozen leader took to be succeeded. */
const SURELY_LOOKED_MS = 20_000;
/** How late a look's trace may be: the answer that payers get, the driver's own question. */
const SLACK_MS = 5000;
/** What was shown before and after so long was shown in between, too. */
const SAME_WITHIN_MS = 3000;

/** An answer of the payers' page, and the moments between which it was given. */
export type DelayAnswer = { isDelayed: boolean; fromMs: number; toMs: number };

/**
 * Claims of the payers' page that contradict what watchers could see of the nodes: delayed though somebody has surely looked, or not
 * delayed though nobody can have.
 */
export function judgeDelays(
  answers: readonly DelayAnswer[],
  { calmBetween, mayHaveLooked }: Pick<ChainHistory, 'calmBetween' | 'mayHaveLooked'>,
): string[] {
  return answers.flatMap(({ isDelayed, fromMs, toMs }) => {
    const hadToLook = calmBetween(fromMs - FRESH_MS + SLACK_MS, fromMs) >= SURELY_LOOKED_MS;
    const couldLook = mayHaveLooked(fromMs - FRESH_MS - SLACK_MS, toMs);
    const at = new Date(fromMs).toISOString();
    if (isDelayed && hadToLook) return [`chain_delayed at ${at}, but the chain was surely looked at`];
    if (!isDelayed && !couldLook) return [`no chain_delayed at ${at}, but nobody could look`];
    return [];
  });
}

/** The times at which the page said that the view lags. Answers that follow each other closely are one. */
export function delaysOf(answers: readonly DelayAnswer[]): Delay[] {
  const delays: Delay[] = [];
  for (const { fromMs, toMs } of answers.filter(({ isDelayed }) => isDelayed)) {
    const last = delays.at(-1);
    if (last && fromMs - last.toMs < SAME_WITHIN_MS) last.toMs = toMs;
    else delays.push({ fromMs, toMs });
  }
  return delays;
}
