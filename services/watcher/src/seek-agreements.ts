import { parseBlock, type Currency } from '@paywatch/domain';
import { reconsiderUnagreed, recordAgreement, takeOpenAgreements, type OpenAgreement } from '@paywatch/store';
import type { WatcherContext } from './context.ts';
import type { ChainSource } from './node/chain-source.ts';
import type { SourcePool } from './node/source-pool.ts';

/** Asked about by one watcher at a time. */
const BATCH = 10;
/** The next try, by whichever watcher comes first. */
const ASK_AGAIN_SECONDS = 10;
/** Ours may be one of them: independent of each other is what they must be. */
const SOURCES_NEEDED = 2;

/**
 * Asks every source about the transactions that large orders wait for. Two that have one in the same block, deep enough
 * on their own best chains, agree on it; else the orders stay pending, and a warning says so. Any number of watchers.
 */
export async function seekAgreements(
  context: WatcherContext,
  sources: SourcePool,
  currency: Currency,
): Promise<void> {
  const claim = { limit: BATCH, seconds: ASK_AGAIN_SECONDS };
  const open = await takeOpenAgreements(context.store.sql, currency, claim);
  for (const wanted of open) await seekAgreement(context, await sources.listUsable(), currency, wanted);
}

/** Null depth: it did not answer. */
type Opinion = { source: string; depth: number | null; fault?: string };

async function seekAgreement(
  { store, logger, secondSourceAbove }: WatcherContext,
  sources: readonly ChainSource[],
  currency: Currency,
  wanted: OpenAgreement,
): Promise<void> {
  const { txid, depthWanted } = wanted;
  const isWaitedFor = secondSourceAbove?.has(currency) ?? false;
  const opinions = isWaitedFor ? await Promise.all(sources.map((source) => opinionOf(source, wanted))) : [];
  const depth = agreedDepth(opinions);
  if (depth >= depthWanted) return recordAgreement(store.sql, currency, { ...wanted, depth });
  await reconsiderUnagreed(store.sql, currency, txid, { isDropped: !isWaitedFor });
  if (!isWaitedFor) return;
  logger.warn(
    { currency, txid, depth_wanted: depthWanted, opinions },
    'a large order stays pending: no second source agrees on its payment',
  );
}

/** The depth that the second-deepest source sees. One that is configured twice is one source. */
function agreedDepth(opinions: readonly Opinion[]): number {
  const bySource = new Map(opinions.map(({ source, depth }) => [source, depth ?? 0]));
  const deepestFirst = [...bySource.values()].toSorted((a, b) => b - a);
  return deepestFirst[SOURCES_NEEDED - 1] ?? 0;
}

/** How deep a source has the transaction in the block that we know; 0 when it is not in its best chain, null unanswered. */
async function opinionOf(source: ChainSource, { txid, height, hash }: OpenAgreement): Promise<Opinion> {
  try {
    const tip = await source.getTip();
    const isThere = tip.height >= height && (await source.getHashAt(height)) === hash;
    const isIn = isThere && holds(await source.getBlock(hash), hash, txid);
    return { source: source.name, depth: isIn ? tip.height - height + 1 : 0 };
  } catch (error) {
    // Whatever is wrong with it, it does not agree.
    return {
      source: source.name,
      depth: null,
      fault: error instanceof Error ? error.message : String(error),
    };
  }
}

function holds(bytes: Uint8Array, hash: string, txid: string): boolean {
  const block = parseBlock(bytes);
  return block.hash === hash && block.transactions.some((transaction) => transaction.txid === txid);
}
