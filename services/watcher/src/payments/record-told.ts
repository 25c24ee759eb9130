import { ParseError, parseTransaction, type ParsedTransaction } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { LeaderContext } from '../context.ts';
import type { MempoolOutputs } from '../chain/mempool-outputs.ts';
import type { ChainSource } from '../sources/chain-source.ts';
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
  outputs: MempoolOutputs,
): Promise<string[]> {
  const transactions = told.flatMap(parseIfPossible).filter(({ txid }) => !known.has(txid));
  // Before they are matched: an address that is derived after the match is looked for in here.
  for (const transaction of transactions) outputs.add(transaction);
  const mempoolTimes = (txids: readonly string[]) => source.getMempoolTimes(txids);
  const missing = new Set(
    await recordMempool(context, { currency, transactions, mempoolTimes, isPushed: true }),
  );
  return transactions.map(({ txid }) => txid).filter((txid) => !missing.has(txid));
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
