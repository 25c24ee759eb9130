import { diffMempool, ParseError, parseTransaction, type ParsedTransaction } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { lockChainAsLeader } from '@paywatch/store/chain';
import {
  findPaidInvoices,
  loadUnsettledTransactions,
  markAbsent,
  markReturned,
  voidConflicting,
} from '@paywatch/store/payments';
import { inTransaction, type TransactionSql } from '@paywatch/store/postgres';
import type { LeaderContext, WatcherContext } from '../context.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import type { MempoolOutputs } from './mempool-outputs.ts';
import { recordMempool } from '../payments/record-outputs.ts';
import { publishSettled } from '../payments/settle-invoices.ts';
import { settlingWithParking } from '../payments/settle-or-park.ts';

/** Transactions fetched and recorded at once. */
const BATCH = 500;

/**
 * Records what is new in the mempool, then compares the recorded transactions with it. Returns the txids that it contained, to
 * be passed as `known` next time; an empty `known` reads the whole mempool. Adds its outputs to `outputs`. Rejects when the
 * source fails: nothing may be concluded then, and the next call starts from the same `known`. Throws LeadershipLostError.
 */
export async function readMempool(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  known: ReadonlySet<string>,
  outputs: MempoolOutputs,
): Promise<Set<string>> {
  const current = new Set(await source.listMempool());
  const { arrived } = diffMempool(known, current);
  const unread: string[] = [];
  let raw = await fetchBatch(source, arrived, 0);
  for (let start = 0; start < arrived.length; start += BATCH) {
    const txids = arrived.slice(start, start + BATCH);
    // The source fetches the next batch while this one is recorded.
    const [left, next] = await Promise.all([
      recordArrived(context, source, currency, txids, raw, outputs),
      fetchBatch(source, arrived, start + BATCH),
    ]);
    unread.push(...left);
    raw = next;
  }
  await compareWithHeld(context, currency, current);
  // Transactions that left before they were fetched are unread: if they return, they are new.
  return current.difference(new Set(unread));
}

async function fetchBatch(
  source: ChainSource,
  txids: readonly string[],
  start: number,
): Promise<(Uint8Array | null)[]> {
  const batch = txids.slice(start, start + BATCH);
  return batch.length === 0 ? [] : source.getMempoolTransactions(batch);
}

/** Returns the txids that had already left the mempool. */
async function recordArrived(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  txids: readonly string[],
  raw: readonly (Uint8Array | null)[],
  outputs: MempoolOutputs,
): Promise<string[]> {
  const transactions = raw.flatMap((bytes, index) => parseOrWarn(context, currency, txids[index], bytes));
  // Before matching: an address that is derived after the match is looked up here.
  for (const transaction of transactions) outputs.add(transaction);
  await recordMempool(context, { currency, source, transactions });
  return txids.filter((_, index) => raw[index] === null);
}

/** Records what the source announced since the last call. Returns the txids that are in the mempool now. */
export async function recordNotified(
  context: LeaderContext,
  source: ChainSource,
  currency: Currency,
  raw: readonly Uint8Array[],
  { known, outputs }: { known: ReadonlySet<string>; outputs: MempoolOutputs },
): Promise<string[]> {
  const transactions = eachOnce(raw.flatMap(parseOrSkip)).filter(({ txid }) => !known.has(txid));
  // Before matching: an address that is derived after the match is looked up here.
  for (const transaction of transactions) outputs.add(transaction);
  const skipped = new Set(await recordMempool(context, { currency, source, transactions, isNotified: true }));
  return transactions.map(({ txid }) => txid).filter((txid) => !skipped.has(txid));
}

/** A node announces a transaction when the mempool takes it, and again with each block that connects or disconnects it. */
function eachOnce(transactions: readonly ParsedTransaction[]): ParsedTransaction[] {
  return [...new Map(transactions.map((transaction) => [transaction.txid, transaction])).values()];
}

/** Nobody asked for this transaction: if it is in the mempool, the next poll reads it and says what is wrong with it. */
function parseOrSkip(raw: Uint8Array): ParsedTransaction[] {
  try {
    return [parseTransaction(raw)];
  } catch (error) {
    if (error instanceof ParseError) return [];
    throw error;
  }
}

/** One transaction that we cannot read must not hide the others; if it pays us, its block shows it. */
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
    logger.warn({ currency, txid, reason: error.message }, 'mempool transaction cannot be parsed');
    return [];
  }
}

/** Marks transactions that left the mempool, and those that returned. */
async function compareWithHeld(
  context: LeaderContext,
  currency: Currency,
  current: ReadonlySet<string>,
): Promise<void> {
  const held = await loadUnsettledTransactions(context.store.sql, currency);
  const gone = held.filter(({ txid, state }) => state === 'mempool' && !current.has(txid)).map(txidOf);
  const back = held.filter(({ txid, state }) => state !== 'mempool' && current.has(txid)).map(txidOf);
  if (gone.length === 0 && back.length === 0) return;
  const settled = await settlingWithParking((settle) =>
    inTransaction(context.store, async (tx) => {
      await lockChainAsLeader(tx, currency, context.processId);
      await markAbsent(tx, currency, gone);
      return settle(context, tx, currency, await recordReturned(tx, currency, back));
    }),
  );
  await publishSettled(context, settled);
}

/** Returns the invoices whose facts changed. */
async function recordReturned(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<bigint[]> {
  const returned = await markReturned(tx, currency, txids);
  const voided = await voidConflicting(tx, currency, returned);
  return findPaidInvoices(tx, currency, [...returned, ...voided]);
}

function txidOf({ txid }: { txid: string }): string {
  return txid;
}
