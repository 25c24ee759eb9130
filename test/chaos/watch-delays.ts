import type { Currency } from '@paywatch/dev';
import type { Delay } from './chain-deadlines.ts';
import type { ChainStage, Sold } from './chain-stage.ts';
import { isCalm } from './process-faults.ts';

const LOOK_EVERY_MS = 500;
/** Looks may come later than they should: what was shown before and after so long was shown between, too. */
const SAME_WITHIN_MS = 3000;

/** Writes down when the payers' page of one chain said that the view of it lags, until the signal. */
export async function watchDelays(
  stage: ChainStage,
  { currency, sold, delays }: { currency: Currency; sold: readonly Sold[]; delays: Delay[] },
  signal: AbortSignal,
): Promise<void> {
  while (await isCalm(LOOK_EVERY_MS, signal)) {
    const invoice = sold.find((each) => each.currency === currency);
    const nowMs = Date.now();
    if (!invoice || !(await stage.isDelayed(invoice.publicId))) continue;
    const last = delays.at(-1);
    if (last && nowMs - last.toMs < SAME_WITHIN_MS) last.toMs = Date.now();
    else delays.push({ fromMs: nowMs, toMs: Date.now() });
  }
}
