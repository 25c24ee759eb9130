import type { Currency } from '@paywatch/domain/values';
import {
  reconsiderUnagreed,
  recordAgreement,
  takeOpenAgreements,
  type OpenAgreement,
} from '@paywatch/store/payments';
import type { WatcherContext } from '../context.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import { readBlock } from '../sources/node/read-block.ts';
import type { SourcePool } from '../sources/source-pool.ts';

/** Asked about by one watcher at a time. */
const BATCH = 10;
/** The next try, by whichever watcher comes first. */
const ASK_AGAIN_SECONDS = 10;
/** Ours may be one of them: independent of each other is what they must be. */
const SOURCES_NEEDED = 2;

/** What this needs of the sources of a chain. */
type Asked = Pick<SourcePool, 'listUsable' | 'report'>;

/**
 * Asks every source about the transactions that large orders wait for. Two that have one in the same block, deep enough
 * on their own best chains, agree on it; else the orders stay pending, and a warning says so. Any number of watchers.
 */
export async function seekAgreements(
  context: WatcherContext,
  sources: Asked,
  currency: Currency,
): Promise<void> {
  const claim = { limit: BATCH, seconds: ASK_AGAIN_SECONDS };
  const open = await takeOpenAgreements(context.store.sql, currency, claim);
  for (const wanted of open) await seekAgreement(context, sources, currency, wanted);
}

/** Null depth: it did not answer. */
type Opinion = { source: string; depth: number | null; fault?: string };

async function seekAgreement(
  { store, logger, secondSourceAbove }: WatcherContext,
  sources: Asked,
  currency: Currency,
  wanted: OpenAgreement,
): Promise<void> {
  const { txid, depthWanted } = wanted;
  const usable = await sources.listUsable();
  const isWaitedFor = secondSourceAbove?.has(currency) ?? false;
  const opinions = isWaitedFor
    ? await Promise.all(usable.map((source) => opinionOf(sources, source, wanted)))
    : [];
  const depth = agreedDepth(opinions);
  // Less than what is wanted may be enough for another order of the same transaction.
  if (depth > 0) await recordAgreement(store.sql, currency, { ...wanted, depth });
  if (depth >= depthWanted) return;
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
async function opinionOf(
  sources: Asked,
  source: ChainSource,
  { txid, height, hash }: OpenAgreement,
): Promise<Opinion> {
  try {
    const tip = await source.getTip();
    const isThere = tip.height >= height && (await source.getHashAt(height)) === hash;
    const isIn = isThere && (await holds(source, hash, txid));
    return { source: source.name, depth: isIn ? tip.height - height + 1 : 0 };
  } catch (error) {
    // Whatever is wrong with it, it does not agree.
    sources.report(error);
    return {
      source: source.name,
      depth: null,
      fault: error instanceof Error ? error.message : String(error),
    };
  }
}

async function holds(source: ChainSource, hash: string, txid: string): Promise<boolean> {
  const { transactions } = await readBlock(source, hash);
  return transactions.some((transaction) => transaction.txid === txid);
}
