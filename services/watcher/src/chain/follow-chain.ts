import { NODE_CHAIN_NAMES, type Network } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import {
  advanceTip,
  beginChain,
  loadChain,
  loadRecentBlocks,
  loadUnscannedBlocks,
} from '@paywatch/store/chain';
import type { LeaderContext, WatcherContext } from '../context.ts';
import {
  ChainSourceError,
  type ChainSource,
  type SourceHeader,
  type SourceTip,
} from '../sources/chain-source.ts';
import { followReorg } from './follow-reorg.ts';
import { scanBlock } from './scan-block.ts';

/** The most unscanned blocks that one step distributes. */
const BLOCKS_PER_STEP = 500;
/** The leader scans up to this many new blocks itself; more are distributed to all watchers. */
const SCANNED_HERE = 2;
/** Blocks that the leader scans in one step if they cannot be distributed. */
const SCANNED_ALONE = 16;

/**
 * Distributes unscanned blocks to all watchers, lowest first, as many as are useful at once, and resolves when they are
 * scanned. Returns false if they could not be distributed, or if some of them stay unscanned for long.
 */
export type DistributeBlocks = (
  currency: Currency,
  blocks: readonly { height: number; hash: string }[],
) => Promise<boolean>;

/**
 * Brings our view of the best chain to the source's tip: disconnects blocks that left it, stores pending blocks, has them
 * scanned and moves our tip. Only the leader calls it; the next call or leader continues unfinished work. Returns true if our
 * tip moved and is still below the source's, so that more can be done at once. Throws LeadershipLostError.
 */
export async function followChain(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  spread: DistributeBlocks,
): Promise<boolean> {
  const tip = await source.getTip();
  const [top] = await loadRecentBlocks(context.store, currency, 1);
  if (!top) throw new Error(`${currency}: the chain is not followed yet`);
  if (top.hash !== tip.hash && !(await followReorg(context, source, currency, tip, top.height))) return false;
  await scanWanted(context, source, currency, spread, tip);
  const reached = await advanceTip(context.store, currency);
  return reached !== null && reached.height < tip.height;
}

/** The start of following a chain, below the source's tip: invoices created before the first watcher ran may be paid there. */
const BEGIN_BELOW_TIP = 12;
/** Known headers below the start, because a reorganisation may go below it. */
const KNOWN_BELOW_BEGINNING = 100;

/** Stores the block from which the chain is followed. Does nothing if it is already followed. */
export async function startChain(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
): Promise<void> {
  const network = context.settings.networks[currency];
  const tip = await source.getTip();
  assertNetwork(source, network, tip.chain);
  const known = await loadChain(context.store.sql, currency);
  if (known) return assertSameNetwork(currency, network, known.network);
  const first = Math.max(0, tip.prunedBelow, tip.height - BEGIN_BELOW_TIP);
  await beginChain(context.store, currency, network, await readBranch(source, first));
  context.logger.info({ currency, height: first }, 'following chain from this block');
}

function assertNetwork(source: ChainSource, network: Network, chain: string): void {
  if (!NODE_CHAIN_NAMES[network].includes(chain))
    throw new ChainSourceError(`${source.name}: is on ${chain}, not on ${network}`);
}

function assertSameNetwork(currency: Currency, network: Network, known: string): void {
  if (network === known) return;
  throw new Error(`${currency}_NETWORK is ${network}, but this database follows ${known}`);
}

/** Headers up to the block at this height, lowest first. */
async function readBranch(source: ChainSource, height: number): Promise<SourceHeader[]> {
  const newestFirst = [await source.getHeader(await source.getHashAt(height))];
  for (let last = newestFirst[0]; last && last.height > 0; last = newestFirst.at(-1)) {
    if (newestFirst.length > KNOWN_BELOW_BEGINNING) break;
    newestFirst.push(await source.getHeader(last.prevHash));
  }
  return newestFirst.toReversed();
}

async function scanWanted(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
  spread: DistributeBlocks,
  tip: SourceTip,
): Promise<void> {
  const waiting = await loadUnscannedBlocks(context.store, currency, BLOCKS_PER_STEP);
  assertNotPruned(source, tip.prunedBelow, waiting);
  if (waiting.length > SCANNED_HERE && (await spread(currency, waiting))) return;
  const left = await loadUnscannedBlocks(context.store, currency, SCANNED_ALONE);
  for (const block of left) await scanBlock(context, source, currency, block);
}

function assertNotPruned(
  source: ChainSource,
  prunedBelow: number,
  waiting: readonly { height: number }[],
): void {
  const [lowest] = waiting;
  if (!lowest || lowest.height >= prunedBelow) return;
  throw new ChainSourceError(
    `${source.name}: blocks ${lowest.height} to ${prunedBelow - 1} are pruned there and still to be scanned`,
  );
}
