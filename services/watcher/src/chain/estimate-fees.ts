import type { Currency } from '@paywatch/domain/values';
import { FEE_TARGET_BLOCKS } from '@paywatch/domain/contract';
import { saveFeeEstimate, type FeeEstimate } from '@paywatch/store/chain';
import type { WatcherContext } from '../context.ts';
import type { ChainSource, SourceFee } from '../sources/chain-source.ts';

type Targets = FeeEstimate['targetBlocks'];

/** Reads fee estimates from the source and stores them for all replicas. A source without estimates changes nothing. */
export async function refreshFeeEstimate(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
): Promise<void> {
  const targets = FEE_TARGET_BLOCKS[currency];
  const answers = await source.estimateFees([targets.fast, targets.normal, targets.economy]);
  const estimate = toEstimate(answers, targets, context.clock.nowMs());
  if (estimate) await saveFeeEstimate(context.store, currency, estimate);
}

/** A target without an estimate gets that of the next faster target, so that no rate is too low; null if there is none. */
function toEstimate(
  answers: readonly SourceFee[],
  targetBlocks: Targets,
  estimatedAtMs: number,
): FeeEstimate | null {
  const rates = answers.map((answer) => answer.feeRate);
  const known = rates.find((rate) => rate !== null);
  if (known === undefined || known === null) return null;
  const fast = rates[0] ?? known;
  const normal = rates[1] ?? fast;
  return { fast, normal, economy: rates[2] ?? normal, targetBlocks, estimatedAtMs };
}
