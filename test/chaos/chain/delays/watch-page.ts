import { ApiProblem } from '@paywatch/dev/stack';
import type { Currency } from '@paywatch/dev/wallet';
import type { ChainHistory } from '../chain-history.ts';
import type { Sold } from '../chain-shops.ts';
import type { ChainStage } from '../chain-stage.ts';
import type { DelayAnswer } from './judge-delays.ts';
import { isCalm } from '../../shared/process-faults.ts';

/** A view that is stale for a shorter time may be so unheard. */
const LOOK_EVERY_MS = 250;

export type Watched = {
  currency: Currency;
  sold: readonly Sold[];
  history: Pick<ChainHistory, 'sent' | 'addProof'>;
  answers: DelayAnswer[];
};

/**
 * Writes down what the payers' page of one chain says, until the signal: whether our view of it lags, and which payments a view that
 * does not lag shows for the first time.
 */
export async function watchPage(
  stage: Pick<ChainStage, 'showToPayers'>,
  { currency, sold, history, answers }: Watched,
  signal: AbortSignal,
): Promise<void> {
  const unshown = unshownPayments(history.sent, sold);
  while (await isCalm(LOOK_EVERY_MS, signal)) {
    const payment = unshown.next();
    const publicId = payment?.publicId ?? sold.find((each) => each.currency === currency)?.publicId;
    if (publicId === undefined) continue;
    const fromMs = Date.now();
    const page = await answerOf(() => stage.showToPayers(publicId));
    if (page === null) continue;
    answers.push({ isDelayed: page.isDelayed, fromMs, toMs: Date.now() });
    if (!payment || page.isDelayed || !page.txids.includes(payment.txid)) continue;
    history.addProof({ sentMs: payment.sentMs, shownMs: Date.now() });
    unshown.remove(payment);
  }
}

/** So many are asked for in turn: one of them may never be shown, because it was replaced or is somebody else's. */
const AT_ONCE = 4;
const ASKED_AT_MOST = 100;

type Unshown = { txid: string; sentMs: number; publicId: string; asked: number };

/** Payments that were not shown yet, always the newest where there is room for one more. */
export function unshownPayments(
  sent: ChainHistory['sent'],
  sold: readonly Sold[],
): { next(): Unshown | undefined; remove(payment: Unshown): void } {
  let waiting: Unshown[] = [];
  let considered = 0;
  const newest = (): Unshown | undefined => {
    for (let index = sent.length - 1; index >= considered; index -= 1) {
      const one = sent[index];
      const payee =
        one && sold.findLast(({ scriptHex }) => one.outputs.some((paid) => paid.scriptHex === scriptHex));
      if (payee && !one.isPegOut) return { ...one, publicId: payee.publicId, asked: 0 };
    }
    return undefined;
  };
  return {
    next: () => {
      if (waiting.length < AT_ONCE) {
        const added = newest();
        considered = sent.length;
        if (added) waiting.push(added);
      }
      const asked = waiting.shift();
      if (asked && (asked.asked += 1) < ASKED_AT_MOST) waiting.push(asked);
      return asked;
    },
    remove: (payment) => void (waiting = waiting.filter((each) => each !== payment)),
  };
}

/** Null where the balancer has nobody to ask: on a busy machine the only replica may miss its health checks. */
async function answerOf<Value>(ask: () => Promise<Value>): Promise<Value | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 503) return null;
    throw error;
  }
}
