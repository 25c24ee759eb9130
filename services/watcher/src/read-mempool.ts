import {
  diffMempool,
  ParseError,
  parseTransaction,
  type Currency,
  type ParsedTransaction,
} from '@paywatch/domain';
import {
  findPaidInvoices,
  inTransaction,
  loadUnsettledTransactions,
  lockChain,
  markAbsent,
  markReturned,
  voidRivals,
} from '@paywatch/store';
import type { WatcherContext } from './context.ts';
import type { ChainSource } from './node/chain-source.ts';
import { recordOutputs } from './record-outputs.ts';
import { publishSettled, settleInvoices } from './settle-invoices.ts';

/** Transactions fetched and recorded at once. */
const BATCH = 500;

/**
 * Reads what is new in the mempool and records it, then compares what we hold with what it holds. Answers what it
 * held, to be given as `known` next time; an empty `known` reads all of it. Rejects when the source fails: then nothing
 * may be concluded, and the next call begins from the same `known`.
 */
export async function readMempool(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
  known: ReadonlySet<string>,
): Promise<Set<string>> {
  const current = new Set(await source.listMempool());
  const { arrived } = diffMempool(known, current);
  for (let start = 0; start < arrived.length; start += BATCH) {
    await recordArrived(context, source, currency, arrived.slice(start, start + BATCH));
  }
  await compareWithHeld(context, currency, current);
  return current;
}

async function recordArrived(
  context: WatcherContext,
  source: ChainSource,
  currency: Currency,
  txids: readonly string[],
): Promise<void> {
  const raw = await source.getMempoolTransactions(txids);
  const transactions = raw.flatMap((bytes, index) => parseOrWarn(context, currency, txids[index], bytes));
  await recordOutputs(context, {
    currency,
    place: { kind: 'mempool' },
    transactions,
    mempoolTimes: (of) => source.getMempoolTimes(of),
  });
}

/** One transaction that we cannot read must not hide the others; if it pays us, its block will tell. */
function parseOrWarn(
  { logger }: WatcherContext,
  currency: Currency,
  txid: string | undefined,
  bytes: Uint8Array | null,
): ParsedTransaction[] {
  if (bytes === null) return [];
  try {
    return [parseTransaction(bytes)];
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    logger.warn({ currency, txid, reason: error.message }, 'a mempool transaction cannot be read');
    return [];
  }
}

/** Notes what left the mempool, and what came back without being new to it. */
async function compareWithHeld(
  context: WatcherContext,
  currency: Currency,
  current: ReadonlySet<string>,
): Promise<void> {
  const held = await loadUnsettledTransactions(context.store.sql, currency);
  const gone = held.filter(({ txid, state }) => state === 'mempool' && !current.has(txid));
  const back = held.filter(({ txid, state }) => state !== 'mempool' && current.has(txid));
  await markAbsent(
    context.store.sql,
    currency,
    gone.map(({ txid }) => txid),
  );
  if (back.length > 0)
    await recordReturned(
      context,
      currency,
      back.map(({ txid }) => txid),
    );
}

async function recordReturned(
  context: WatcherContext,
  currency: Currency,
  txids: readonly string[],
): Promise<void> {
  const settled = await inTransaction(context.store, async (tx) => {
    await lockChain(tx, currency);
    const returned = await markReturned(tx, currency, txids);
    const voided = await voidRivals(tx, currency, returned);
    const touched = await findPaidInvoices(tx, currency, [...returned, ...voided]);
    return settleInvoices(context, tx, currency, touched);
  });
  await publishSettled(context, settled);
}
