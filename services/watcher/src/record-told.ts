import { ParseError, parseTransaction, type Currency, type ParsedTransaction } from '@paywatch/domain';
import { currentFilter } from '@paywatch/store';
import type { LeaderContext } from './context.ts';
import type { ChainSource } from './node/chain-source.ts';
import { findCandidates } from './find-candidates.ts';
import { recordMempool } from './record-outputs.ts';

/**
 * Records transactions that the source told of by itself, without a look at its mempool. A node tells of those in a new
 * block, too, and of every block while it catches up, so only what its mempool holds is recorded: the sighting would else
 * stand for the block's time. Those in `known` were read before. Answers the txids that need not be read again. Throws LeadLostError.
 */
export async function recordTold(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  told: readonly Uint8Array[],
  known: ReadonlySet<string>,
): Promise<string[]> {
  const transactions = told.flatMap(parseIfPossible).filter(({ txid }) => !known.has(txid));
  const filter = await currentFilter(context.store, currency);
  const batch = { currency, height: null, transactions };
  const { transactions: relevant } = await findCandidates(context.store, batch, filter);
  const times = await source.getMempoolTimes(relevant.map(({ txid }) => txid));
  const held = relevant.filter((_, index) => times[index] !== null);
  const missing = new Set(relevant.filter((transaction) => !held.includes(transaction)));
  if (held.length > 0) {
    await recordMempool(context, {
      currency,
      transactions: held,
      mempoolTimes: () => Promise.resolve(times.filter((time) => time !== null)),
    });
  }
  return transactions.filter((transaction) => !missing.has(transaction)).map(({ txid }) => txid);
}

/** What cannot be read is left to the look at the mempool, which says so. */
function parseIfPossible(raw: Uint8Array): ParsedTransaction[] {
  try {
    return [parseTransaction(raw)];
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}
