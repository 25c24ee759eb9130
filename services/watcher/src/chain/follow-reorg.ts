import { planReorg, type ChainPlan } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { disconnectAbove, enqueueBlocks, loadRecentBlocks } from '@paywatch/store/chain';
import type { LeaderContext, WatcherContext } from '../context.ts';
import {
  ChainSourceError,
  type ChainSource,
  type SourceHeader,
  type SourceTip,
} from '../sources/chain-source.ts';

/** Headers read for one step; a longer gap takes several steps. */
const HEADERS_PER_STEP = 500;

/**
 * Connects the blocks between our top and the source's tip, and disconnects ours that left the best chain (a reorg). Returns true
 * if our pending blocks now end at the source's tip, or as far above our top as one step goes. Throws LeadershipLostError.
 */
export async function followReorg(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  tip: SourceTip,
  ourTop: number,
): Promise<boolean> {
  const theirs = await readHeaders(source, tip, ourTop);
  const ours = await loadRecentBlocks(context.store, currency, 1000);
  let plan = planReorg(ours, theirs);
  while (plan.kind === 'need_older') {
    const oldest = theirs.at(-1);
    if (!oldest) return false;
    theirs.push(await source.getHeader(oldest.prevHash));
    plan = planReorg(ours, theirs);
  }
  if (plan.kind !== 'follow') return cannotFollow(context, source, currency, plan);
  const [newestGone] = plan.disconnect;
  const lowestGone = plan.disconnect.at(-1);
  if (newestGone && lowestGone) {
    context.logger.warn(
      { currency, from: newestGone.height, depth: plan.disconnect.length },
      'reorganisation',
    );
    await disconnectAbove(context.store, currency, context.processId, lowestGone.height - 1);
  }
  return enqueueBlocks(context.store, currency, context.processId, plan.connect);
}

/** Headers of the source's chain, newest first, from its tip (or as far above our top as one step goes) down to our top. */
async function readHeaders(
  source: ChainSource,
  tip: { height: number; hash: string },
  ourTop: number,
): Promise<SourceHeader[]> {
  const highest = Math.min(tip.height, ourTop + HEADERS_PER_STEP);
  const hash = highest === tip.height ? tip.hash : await source.getHashAt(highest);
  const headers = [await source.getHeader(hash)];
  for (let last = headers[0]; last && last.height > ourTop + 1; last = headers.at(-1)) {
    headers.push(await source.getHeader(last.prevHash));
  }
  return headers;
}

function cannotFollow(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
  plan: Exclude<ChainPlan<SourceHeader>, { kind: 'follow' }>,
): false {
  if (plan.kind === 'too_deep') {
    throw new ChainSourceError(
      `${source.name}: ${currency} parts from what we know below block ${plan.oldestHeight}; is it another network?`,
    );
  }
  context.logger.info(
    { currency, source: source.name, plan: plan.kind },
    'source is behind or its tip just moved',
  );
  return false;
}
