import type { Currency } from '@paywatch/domain/values';
import {
  advanceRescan,
  beginRescan,
  failRescan,
  claimRescan,
  loadRecentBlocks,
  type Rescan,
  type RescanBeginning,
} from '@paywatch/store/chain';
import type { WatcherContext } from '../context.ts';
import { ChainSourceError, type ChainSource } from '../sources/chain-source.ts';
import { findHeightAt } from '../sources/find-height.ts';
import type { SourcePool } from '../sources/source-pool.ts';
import { scanBlock } from './scan-block.ts';
import { settleDueDecisions } from '../payments/settle-due.ts';

/** Blocks read under one claim. */
const BATCH = 20;
/** Longer than a batch takes. After it, another watcher continues the work of a dead one. */
const CLAIM_SECONDS = 60;

/**
 * Reads a few more blocks of the oldest rescan of a chain. Returns whether more can be read now. Safe at any time, in any
 * number of watchers, and if the process dies at any point. A failure is stored with the rescan and retried.
 */
export async function continueRescan(
  context: WatcherContext,
  sources: SourcePool,
  currency: Currency,
): Promise<boolean> {
  const { sql } = context.store;
  const rescan = await claimRescan(sql, currency, CLAIM_SECONDS);
  if (rescan === null) return false;
  try {
    return await readBatch(context, await sources.listUsable(), rescan);
  } catch (error) {
    sources.report(error);
    const fault = error instanceof Error ? error.message : String(error);
    await failRescan(sql, rescan.id, { fault, isFinal: error instanceof Unreadable });
    throw error;
  }
}

/** A failure that a retry would not help. */
class Unreadable extends ChainSourceError {}

async function readBatch(
  context: WatcherContext,
  sources: readonly ChainSource[],
  rescan: Rescan,
): Promise<boolean> {
  const { sql } = context.store;
  const range = rescan.range ?? (await begin(context, sources, rescan));
  const source = await withBlocksFrom(sources, range);
  const end = Math.min(range.next + BATCH, range.to + 1);
  let matched = 0;
  for (let height = range.next; height < end; height += 1) {
    const hash = await source.getHashAt(height);
    const recorded = await scanBlock(context, source, rescan.currency, { height, hash, isRescan: true });
    if (!recorded.isWanted)
      throw new ChainSourceError(`${source.name}: block ${height} is on another branch`);
    matched += recorded.matched;
  }
  await settleDueDecisions(context, rescan.currency);
  await advanceRescan(sql, rescan.id, { next: end, matched, seconds: 0 });
  if (end > range.to) {
    context.logger.info({ currency: rescan.currency, from: range.from, to: range.to }, 'rescan completed');
  }
  return end <= range.to;
}

async function begin(
  { store }: WatcherContext,
  [source]: readonly ChainSource[],
  { id, currency, beginning }: Rescan,
): Promise<{ from: number; to: number; next: number }> {
  // Not our tip: blocks above it may have been scanned before what the rescan looks for was known, and would not be read again.
  const [top] = await loadRecentBlocks(store, currency, 1);
  if (!source || !top)
    throw new ChainSourceError(`${currency}: no source answers, or the chain is not followed yet`);
  const to = top.height;
  const from = await findHeight(source, beginning, to);
  if (from > to) throw new Unreadable(`${currency}: block ${from} is above our newest block ${to}`);
  await beginRescan(store.sql, id, { from, to });
  return { from, to, next: from };
}

async function findHeight(source: ChainSource, beginning: RescanBeginning, tip: number): Promise<number> {
  return 'height' in beginning ? beginning.height : findHeightAt(source, beginning.time.getTime(), tip);
}

/** The first source that still has these blocks. */
async function withBlocksFrom(
  sources: readonly ChainSource[],
  { next }: { next: number },
): Promise<ChainSource> {
  const missing: string[] = [];
  for (const source of sources) {
    const { prunedBelow } = await source.getTip();
    if (prunedBelow <= next) return source;
    missing.push(`${source.name}: blocks ${next} to ${prunedBelow - 1} are pruned there`);
  }
  if (missing.length === 0) throw new ChainSourceError('no source answers');
  throw new Unreadable(missing.join('; '));
}
