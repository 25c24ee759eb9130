import { ApiProblem } from '@paywatch/dev/stack';
import type { Currency } from '@paywatch/dev/wallet';
import type { Sold } from '../chain-shops.ts';
import type { ChainStage } from '../chain-stage.ts';
import type { DelayAnswer } from './judge-delays.ts';
import { isCalm } from '../../shared/process-faults.ts';

/** A view that is stale for a shorter time may be so unheard. */
const LOOK_EVERY_MS = 250;

/** Writes down whether the payers' page of one chain says that the view of it lags, until the signal. */
export async function watchDelays(
  stage: ChainStage,
  { currency, sold, answers }: { currency: Currency; sold: readonly Sold[]; answers: DelayAnswer[] },
  signal: AbortSignal,
): Promise<void> {
  while (await isCalm(LOOK_EVERY_MS, signal)) {
    const invoice = sold.find((each) => each.currency === currency);
    if (!invoice) continue;
    const fromMs = Date.now();
    const isDelayed = await answerOf(() => stage.isDelayed(invoice.publicId));
    if (isDelayed === null) continue;
    answers.push({ isDelayed, fromMs, toMs: Date.now() });
  }
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
