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
  history: Pick<ChainHistory, 'sent' | 'addProof' | 'addShown'>;
  answers: DelayAnswer[];
};

/**
 * Writes down what the payers' page of one chain says, until the signal: whether our view of it lags, which payments it shows, and
 * which of them while it does not lag.
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
    if (!payment || !page.txids.includes(payment.txid)) continue;
    history.addShown(payment.txid, Date.now());
    if (page.isDelayed) continue;
    history.addProof({ sentMs: payment.sentMs, shownMs: Date.now() });
    unshown.remove(payment);
  }
}

/** Many older payments were replaced or belong to another invoice by now. */
const NEWEST = 16;

type Unshown = { txid: string; sentMs: number; publicId: string };

/** Payments that were not shown yet, always the one of the newest that was asked for least. */
export function unshownPayments(
  sent: ChainHistory['sent'],
  sold: readonly Sold[],
): { next(): Unshown | undefined; remove(payment: Unshown): void } {
  const shown = new Set<string>();
  const asked = new Map<string, number>();
  const timesAsked = ({ txid }: Unshown): number => asked.get(txid) ?? 0;
  return {
    next: () => {
      const unshown = sent.toReversed().filter(({ txid, isPegOut }) => !isPegOut && !shown.has(txid));
      const newest = unshown.slice(0, NEWEST).flatMap((one): Unshown[] => {
        const payee = sold.findLast(({ scriptHex }) =>
          one.outputs.some((paid) => paid.scriptHex === scriptHex),
        );
        return payee ? [{ ...one, publicId: payee.publicId }] : [];
      });
      const [chosen] = newest.toSorted((a, b) => timesAsked(a) - timesAsked(b));
      if (chosen) asked.set(chosen.txid, timesAsked(chosen) + 1);
      return chosen;
    },
    remove: ({ txid }) => void shown.add(txid),
  };
}

/** Null if the balancer has no replica: on a busy machine the only one may miss its health checks. */
export async function answerOf<Value>(ask: () => Promise<Value>): Promise<Value | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 503) return null;
    throw error;
  }
}
