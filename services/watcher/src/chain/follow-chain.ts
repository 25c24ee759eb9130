import { NODE_CHAIN_NAMES, planReorg, type ChainPlan, type Network } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import {
  advanceTip,
  beginChain,
  disconnectAbove,
  loadChain,
  loadRecentBlocks,
  loadUnscannedBlocks,
  wantBlocks,
} from '@paywatch/store/chain';
import type { LeaderContext, WatcherContext } from '../context.ts';
import {
  ChainSourceError,
  type ChainSource,
  type SourceHeader,
  type SourceTip,
} from '../sources/chain-source.ts';
import { scanBlock } from './scan-block.ts';

/** Headers read for one plan; a longer gap is followed in several steps. */
const HEADERS_PER_STEP = 500;
/** Blocks scanned by the leader itself; more are spread over the watchers. */
const SCANNED_HERE = 2;
/** Blocks that it scans in one step where they cannot be spread. */
const SCANNED_ALONE = 16;

/**
 * Hands unscanned blocks to all watchers, lowest first, as many as are good at once, and resolves when these are scanned. False
 * when they could not be handed over, or when nobody has scanned some of them for long.
 */
export type SpreadBlocks = (
  currency: Currency,
  blocks: readonly { height: number; hash: string }[],
) => Promise<boolean>;

/**
 * Brings our view of the best chain to the source's tip: disconnects what left it, notes what is wanted, has it scanned
 * and moves our tip. Only the leader calls it; whatever it leaves undone, the next call or the next leader does. True when our
 * tip moved and is still below the source's: there is more to do at once. Throws LeadLostError.
 */
export async function followChain(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  spread: SpreadBlocks,
): Promise<boolean> {
  const tip = await source.getTip();
  const [top] = await loadRecentBlocks(context.store, currency, 1);
  if (!top) throw new Error(`${currency}: the chain was never begun`);
  if (top.hash !== tip.hash) {
    const theirs = await readHeaders(source, tip, top.height);
    const ours = await loadRecentBlocks(context.store, currency, 1000);
    if (!(await applyPlan(context, source, currency, ours, theirs))) return false;
  }
  await scanWanted(context, source, currency, spread, tip);
  const reached = await advanceTip(context.store, currency);
  return reached !== null && reached.height < tip.height;
}

/** Blocks below the source's tip at which a chain is begun: invoices made before the first watcher ran may be paid there. */
const BEGIN_BELOW_TIP = 12;
/** Headers known below that block: a reorganisation may go below the beginning, as deep as any that is followed. */
const KNOWN_BELOW_BEGINNING = 100;

/** Notes the block from which on the chain is followed. Does nothing where it is followed already. */
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
  context.logger.info({ currency, height: first }, 'chain is followed from here on');
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

/** Headers of the source's chain, newest first, from its tip (or as far above our top as one step goes) to our top. */
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

/** True when our wanted chain now ends where the headers do. */
async function applyPlan(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  ours: readonly { height: number; hash: string }[],
  theirs: SourceHeader[],
): Promise<boolean> {
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
  return wantBlocks(context.store, currency, context.processId, plan.connect);
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
    'the source is behind or just moved',
  );
  return false;
}

async function scanWanted(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
  spread: SpreadBlocks,
  tip: SourceTip,
): Promise<void> {
  const waiting = await loadUnscannedBlocks(context.store, currency, HEADERS_PER_STEP);
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
