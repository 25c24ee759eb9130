import type { ParsedTransaction, SpentOutpoint } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import {
  advanceReadCounter,
  lockChain,
  lockChainAsLeader,
  lockPendingBlock,
  lockRescannedBlock,
  markBlockScanned,
} from '@paywatch/store/chain';
import { lockInvoices, queueDecisions } from '@paywatch/store/invoices';
import {
  type Place,
  type SeenTransaction,
  assertSameLeases,
  currentFilter,
  insertInputs,
  mayBeSpent,
  upsertPayments,
  upsertTransactions,
  voidConflicting,
  voidDescendants,
} from '@paywatch/store/payments';
import { advanceLastUsed, retirePaidAddresses } from '@paywatch/store/pools';
import { type TransactionSql, inTransaction } from '@paywatch/store/postgres';
import type { LeaderContext, WatcherContext } from '../context.ts';
import type { ChainSource } from '../sources/chain-source.ts';
import { type Candidates, claimsOf, findCandidates, toHex } from './find-candidates.ts';
import { type Batch, type MayBeKnown, type RecordPlan, planRecord } from './plan-record.ts';
import { publishSettled } from './settle-invoices.ts';
import { settlingWithParking } from './settle-or-park.ts';

/** The result of recording a block; `matched` counts the relevant transactions. */
export type Recorded = { matched: number; isWanted: boolean };

type BlockPlace = Extract<Place, { kind: 'block' }>;

/**
 * Records the payments of a block that is followed, caught up with, connected by a reorganisation or read again, and queues the
 * affected invoices: they are decided once, when the tip has moved. Safe to repeat and to run concurrently. Does nothing if the
 * block has left the best chain meanwhile (`isWanted` false).
 */
export async function recordBlock(
  context: WatcherContext,
  currency: Currency,
  place: BlockPlace,
  transactions: readonly ParsedTransaction[],
): Promise<Recorded> {
  const { store } = context;
  return inTransaction(store, async (tx) => {
    const lockBlock = place.isRescan ? lockRescannedBlock : lockPendingBlock;
    const [, isWanted, filter] = await Promise.all([
      lockChain(tx, currency),
      lockBlock(tx, currency, place),
      // Under the lock of the chain: if two watchers record conflicting transactions, the later one sees the other.
      currentFilter(store, currency, tx),
    ]);
    if (!isWanted) return { matched: 0, isWanted };
    const { height } = place;
    const candidates = await findCandidates(tx, { currency, height, transactions }, filter);
    const seen = candidates.transactions.map((transaction) => toSeen(transaction, candidates, height));
    const batch = { currency, place, skewMs: skewOf(context, currency) };
    const plan = await planRecord(tx, batch, seen, mayBeKnown(seen, candidates));
    await Promise.all([
      queueDecisions(tx, currency, plan.touched),
      writePlan(tx, batch, plan),
      advanceLastUsed(tx, plan.addresses),
      markBlockScanned(tx, currency, place),
      advanceReadCounter(tx, currency, plan.readCounter),
    ]);
    return { matched: plan.seen.length, isWanted };
  });
}

/** Transactions of the mempool of `source`. */
export type MempoolSighting = {
  currency: Currency;
  source: Pick<ChainSource, 'getMempoolTimes'>;
  transactions: readonly ParsedTransaction[];
  /** The source announced them, perhaps from a block. Those that have no mempool time are not in the mempool and are left out. */
  isNotified?: boolean;
};

/**
 * Records payments of a mempool, as the leader of the chain. Decides the invoices in the same transaction, because their payers
 * are looking at the page now, and publishes after the commit. Safe to repeat. Returns the txids that it left out.
 * Throws LeadershipLostError.
 */
export async function recordMempool(
  context: LeaderContext,
  { currency, source, transactions, isNotified = false }: MempoolSighting,
): Promise<string[]> {
  const { store } = context;
  const filter = await currentFilter(store, currency);
  const candidates = await findCandidates(store.sql, { currency, height: null, transactions }, filter);
  if (candidates.transactions.length === 0) return [];
  const times = await source.getMempoolTimes(candidates.transactions.map(({ txid }) => txid));
  const sighted = candidates.transactions.map((transaction, index) => ({
    ...toSeen(transaction, candidates, null),
    mempoolTimeMs: times[index] ?? null,
  }));
  const seen = isNotified ? sighted.filter(({ mempoolTimeMs }) => mempoolTimeMs !== null) : sighted;
  if (seen.length > 0) await recordSeen(context, currency, seen);
  return sighted.filter((transaction) => !seen.includes(transaction)).map(({ txid }) => txid);
}

async function recordSeen(
  context: LeaderContext,
  currency: Currency,
  seen: readonly SeenTransaction[],
): Promise<void> {
  // All of them may be known: a block may have been recorded since the filter was read.
  const known = { transactions: seen, claims: seen.flatMap(({ spends }) => spends) };
  const settled = await settlingWithParking((settle) =>
    inTransaction(context.store, async (tx) => {
      // A successor may have replaced what a former leader has read.
      await lockChainAsLeader(tx, currency, context.processId);
      const batch = { currency, place: { kind: 'mempool' }, skewMs: skewOf(context, currency) } as const;
      const plan = await planRecord(tx, batch, seen, known);
      await writePlan(tx, batch, plan);
      const changes = await settle(context, tx, currency, plan.touched);
      await advanceReadCounter(tx, currency, plan.readCounter);
      return changes;
    }),
  );
  await publishSettled(context, settled);
}

function skewOf({ sourceSkewMs }: WatcherContext, currency: Currency): number {
  return sourceSkewMs?.(currency) ?? 0;
}

/** The transaction with those outputs that may be ours. An empty output is no payment. */
function toSeen(
  transaction: ParsedTransaction,
  { filter }: Candidates,
  height: number | null,
): SeenTransaction {
  return {
    txid: transaction.txid,
    spends: claimsOf(transaction, height),
    outputs: transaction.outputs
      .filter(({ amount, script }) => amount > 0n && filter.mayPay(script, 0, script.length))
      .map(({ vout, amount, script }) => ({ vout, amount, scriptHex: toHex(script) })),
    mempoolTimeMs: null,
    isHogEx: transaction.isHogEx,
  };
}

/**
 * Uses a filter that was read under the lock of the chain: transactions are recorded together with what they spend, except a
 * HogEx, which claims nothing.
 */
function mayBeKnown(seen: readonly SeenTransaction[], { filter }: Candidates): MayBeKnown {
  const isKnown = (claim: SpentOutpoint): boolean => mayBeSpent(filter, claim);
  return {
    transactions: seen.filter(({ isHogEx, spends }) => isHogEx || spends.some(isKnown)),
    claims: seen.flatMap(({ spends }) => spends.filter(isKnown)),
  };
}

/**
 * Independent statements are sent together; Postgres runs them in this order. Never together with work that sends further
 * statements: after a failure these would run after the rollback, outside the transaction.
 */
async function writePlan(
  tx: TransactionSql,
  { currency, place }: Batch,
  {
    seen,
    sightings,
    payments,
    winners,
    conflicting,
    touched,
    addresses,
    scripts,
    leases,
    readCounter,
  }: RecordPlan,
): Promise<void> {
  if (seen.length === 0) return;
  await Promise.all([
    // First, in the order of every decision; otherwise a lease that ends now could free an address that was just paid.
    lockInvoices(tx, touched),
    upsertTransactions(tx, currency, place, sightings, readCounter),
    insertInputs(tx, currency, seen),
    upsertPayments(tx, currency, payments),
    voidConflicting(tx, currency, winners),
    voidDescendants(tx, currency, conflicting),
    // Paid addresses are never leased again.
    retirePaidAddresses(tx, addresses),
    // Last: an address whose lease has just ended may have been leased again before it was retired, or its lease may be
    // deleted.
    assertSameLeases(tx, currency, scripts, leases),
  ]);
}
