import type { Currency } from '@paywatch/domain/values';
import {
  reconsiderUnagreed,
  recordAgreement,
  claimOpenAgreements,
  type OpenAgreement,
} from '@paywatch/store/payments';
import type { WatcherContext } from '../context.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import { readBlock } from '../sources/node/read-block.ts';
import type { SourcePool } from '../sources/source-pool.ts';

/** Transactions that one watcher checks at a time. */
const BATCH = 10;
/** The delay before any watcher tries again. */
const ASK_AGAIN_SECONDS = 10;
/** Our current source may be one of them; they only need to be independent of each other. */
const SOURCES_NEEDED = 2;

/** The methods of a source pool that this needs. */
type Asked = Pick<SourcePool, 'listUsable' | 'report'>;

/**
 * Asks every source about the transactions that large orders wait for. Two sources agree if both have the transaction in the
 * same block, deep enough on their own best chains. Otherwise the orders stay pending, and a warning is logged. Safe in any
 * number of watchers.
 */
export async function requestAgreements(
  context: WatcherContext,
  sources: Asked,
  currency: Currency,
): Promise<void> {
  const claim = { limit: BATCH, seconds: ASK_AGAIN_SECONDS };
  const open = await claimOpenAgreements(context.store.sql, currency, claim);
  for (const wanted of open) await requestAgreement(context, sources, currency, wanted);
}

/** Depth null: the source did not respond. */
type Opinion = { source: string; depth: number | null; fault?: string };

async function requestAgreement(
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
  // Another order of the same transaction may need less depth.
  if (depth > 0) await recordAgreement(store.sql, currency, { ...wanted, depth });
  if (depth >= depthWanted) return;
  await reconsiderUnagreed(store.sql, currency, txid, { isDropped: !isWaitedFor });
  if (!isWaitedFor) return;
  logger.warn(
    { currency, txid, depth_wanted: depthWanted, opinions },
    'large order stays pending: no second source agrees on its payment',
  );
}

/** The depth in the source that is second deepest. A source that is configured twice counts once. */
function agreedDepth(opinions: readonly Opinion[]): number {
  const bySource = new Map(opinions.map(({ source, depth }) => [source, depth ?? 0]));
  const deepestFirst = [...bySource.values()].toSorted((a, b) => b - a);
  return deepestFirst[SOURCES_NEEDED - 1] ?? 0;
}

/** How deep a source has the transaction in our block; 0 if it is not in its best chain, null if it does not respond. */
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
    // A source that fails does not agree.
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
