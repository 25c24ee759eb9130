import type { ParsedTransaction, SpentOutpoint } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import {
  advanceReadCounter,
  lockChain,
  lockChainAsLeader,
  lockRescannedBlock,
  lockWantedBlock,
  markBlockScanned,
  nextReadCounter,
} from '@paywatch/store/chain';
import { lockInvoices, queueDecisions, transactionTime } from '@paywatch/store/invoices';
import {
  assertSameLeases,
  currentFilter,
  findDescendants,
  findPaidInvoices,
  findSpenders,
  insertInputs,
  loadFirstRecords,
  loadHolderTerms,
  loadLostPegOuts,
  loadRecordedPayments,
  loadScriptAddresses,
  loadScriptLeases,
  lockUnheldAddresses,
  mayBeSpent,
  upsertPayments,
  upsertTransactions,
  voidDescendants,
  voidRivals,
  type NewPayment,
  type Place,
  type ScriptLease,
  type SeenTransaction,
  type Sighted,
} from '@paywatch/store/payments';
import { advanceLastUsed, retirePaidAddresses, type PoolAddressRef } from '@paywatch/store/pools';
import { inTransaction, type TransactionSql } from '@paywatch/store/postgres';
import {
  attributePayments,
  concernsUs,
  rivalPairs,
  sharers,
  sightingOf,
  standing,
  type Facts,
} from './attribute-payments.ts';
import type { LeaderContext, WatcherContext } from '../context.ts';
import { claimsOf, findCandidates, toHex, type Candidates } from './find-candidates.ts';
import { publishSettled } from './settle-invoices.ts';
import { settlingWithParking } from './settle-or-park.ts';

/** What a block came to; `matched` counts transactions that concern us. */
export type Recorded = { matched: number; isWanted: boolean };

type BlockPlace = Extract<Place, { kind: 'block' }>;

/**
 * The way in for payments of a block: followed, caught up with, connected by a reorg or read again. Writes what concerns us
 * and queues the invoices that it touches: they are decided once, when the tip has moved. Doing it again, also at the same
 * time elsewhere, changes nothing. A block that has left the best chain meanwhile (`isWanted` false) is left alone.
 */
export async function recordBlock(
  context: WatcherContext,
  currency: Currency,
  place: BlockPlace,
  transactions: readonly ParsedTransaction[],
): Promise<Recorded> {
  const { store } = context;
  return inTransaction(store, async (tx) => {
    const lockBlock = place.isRescan ? lockRescannedBlock : lockWantedBlock;
    const [, isWanted, filter] = await Promise.all([
      lockChain(tx, currency),
      lockBlock(tx, currency, place),
      // Under the lock, so that of two conflicting transactions which two watchers record, the later one meets the other.
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

/** Transactions that a mempool holds. `mempoolTimes` asks its node when those that matter entered it. */
export type MempoolSighting = {
  currency: Currency;
  transactions: readonly ParsedTransaction[];
  mempoolTimes: (txids: readonly string[]) => Promise<(number | null)[]>;
  /** Pushed by the source, perhaps from a block: what has no time is not in the mempool, and left out. */
  isPushed?: boolean;
};

/**
 * The way in for payments of a mempool, which the leader of the chain reads. Decides the invoices in the same transaction, for
 * their payers look at the page now, and publishes after the commit. Doing it again changes nothing. Answers the txids that it
 * left out. Throws LeadLostError.
 */
export async function recordMempool(
  context: LeaderContext,
  { currency, transactions, mempoolTimes, isPushed = false }: MempoolSighting,
): Promise<string[]> {
  const { store } = context;
  const filter = await currentFilter(store, currency);
  const candidates = await findCandidates(store.sql, { currency, height: null, transactions }, filter);
  if (candidates.transactions.length === 0) return [];
  const times = await mempoolTimes(candidates.transactions.map(({ txid }) => txid));
  const sighted = candidates.transactions.map((transaction, index) => ({
    ...toSeen(transaction, candidates, null),
    mempoolTimeMs: times[index] ?? null,
  }));
  const seen = isPushed ? sighted.filter(({ mempoolTimeMs }) => mempoolTimeMs !== null) : sighted;
  if (seen.length > 0) await recordSeen(context, currency, seen);
  return sighted.filter((transaction) => !seen.includes(transaction)).map(({ txid }) => txid);
}

async function recordSeen(
  context: LeaderContext,
  currency: Currency,
  seen: readonly SeenTransaction[],
): Promise<void> {
  // All of them: since the filter was asked, a block may have been recorded.
  const known = { transactions: seen, claims: seen.flatMap(({ spends }) => spends) };
  const settled = await settlingWithParking((settle) =>
    inTransaction(context.store, async (tx) => {
      // What a former leader has read may have been replaced since.
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

/** With the outputs that may be ours. An empty one is no payment. */
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

/** Which of them, and of what they claim, may be recorded already. */
type MayBeKnown = { transactions: readonly SeenTransaction[]; claims: readonly SpentOutpoint[] };

/** By a filter that was asked under the lock of the chain: a transaction is recorded with what it claims; a HogEx claims nothing. */
function mayBeKnown(seen: readonly SeenTransaction[], { filter }: Candidates): MayBeKnown {
  const isKnown = (claim: SpentOutpoint): boolean => mayBeSpent(filter, claim);
  return {
    transactions: seen.filter(({ isHogEx, spends }) => isHogEx || spends.some(isKnown)),
    claims: seen.flatMap(({ spends }) => spends.filter(isKnown)),
  };
}

/** What was seen together, where, and how far the clock of the source is ahead of Postgres's. */
type Batch = { currency: Currency; place: Place; skewMs: number };

/** What is to be written of the transactions that concern us. */
type RecordPlan = {
  seen: readonly SeenTransaction[];
  sightings: readonly Sighted[];
  payments: readonly NewPayment[];
  /** Those that make void what conflicts with them; none where nothing does. */
  winners: readonly string[];
  /** Both sides of every conflict: of those that lost to a block, descendants are void, too. */
  conflicting: readonly string[];
  /** All invoices whose facts that changes. */
  touched: readonly bigint[];
  addresses: readonly PoolAddressRef[];
  /** By which the payments were attributed. */
  scripts: readonly string[];
  leases: readonly ScriptLease[];
  readCounter: bigint;
};

const NOTHING: RecordPlan = {
  seen: [],
  sightings: [],
  payments: [],
  winners: [],
  conflicting: [],
  touched: [],
  addresses: [],
  scripts: [],
  leases: [],
  readCounter: 0n,
};

/** Reads what has to be known, and locks addresses alone: whom it touches is to be queued and locked first. */
async function planRecord(
  tx: TransactionSql,
  batch: Batch,
  candidates: readonly SeenTransaction[],
  known: MayBeKnown,
): Promise<RecordPlan> {
  if (candidates.length === 0) return NOTHING;
  const { facts, scripts, readCounter } = await loadFacts(tx, batch, candidates, known);
  const seen = candidates.filter(concernsUs(facts));
  if (seen.length === 0) return { ...NOTHING, readCounter };
  const pairs = rivalPairs(seen, facts.spenders);
  const conflicting = [...new Set(pairs.flatMap(({ mine, theirs }) => [mine, theirs]))];
  const descendants = await findDescendants(tx, batch.currency, conflicting);
  const paidBelow = await findPaidInvoices(tx, batch.currency, descendants);
  const payments = attributePayments(seen, facts, pairs);
  const paid = [...facts.recorded, ...payments].map(({ invoiceId }) => invoiceId);
  const holders = facts.leases.flatMap((lease) => (lease.releasedAtMs === null ? lease.invoiceId : []));
  return {
    seen,
    sightings: seen.map((transaction) => sightingOf(transaction, facts)),
    payments,
    winners: pairs.length > 0 ? standing(seen) : [],
    conflicting,
    touched: [...new Set([...paid.filter((id) => id !== null), ...paidBelow, ...holders])],
    addresses: facts.addresses,
    scripts,
    leases: facts.leases,
    readCounter,
  };
}

/**
 * Statements that need not wait for each other's answers are sent together; Postgres runs them in this order. Never together with
 * work that goes on to send more: after a failure that would come behind the rollback, and stand alone.
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
    // First of all, as whoever decides them does, too; and a lease that ends at this moment would else free an address that was paid.
    lockInvoices(tx, touched),
    upsertTransactions(tx, currency, place, sightings, readCounter),
    insertInputs(tx, currency, seen),
    upsertPayments(tx, currency, payments),
    voidRivals(tx, currency, winners),
    voidDescendants(tx, currency, conflicting),
    // Addresses that were paid are given to nobody again.
    retirePaidAddresses(tx, addresses),
    // Last: an address whose lease has just ended may have been leased again before it was retired, or its lease deleted.
    assertSameLeases(tx, currency, scripts, leases),
  ]);
}

async function loadFacts(
  tx: TransactionSql,
  { currency, place, skewMs }: Batch,
  seen: readonly SeenTransaction[],
  known: MayBeKnown,
): Promise<{ facts: Facts; scripts: string[]; readCounter: bigint }> {
  const scripts = scriptsOf(seen);
  const txids = known.transactions.map(({ txid }) => txid);
  // Sent together, answered one after the other.
  const [, addresses, leases, spenders, records, lostPegOuts, nowMs, readCounter] = await Promise.all([
    lockUnheldAddresses(tx, currency, scripts),
    loadScriptAddresses(tx, currency, scripts),
    loadScriptLeases(tx, currency, scripts),
    findSpenders(tx, currency, known.claims),
    loadFirstRecords(tx, currency, txids),
    loadLostPegOuts(tx, currency, scriptsOf(seen.filter(({ isHogEx }) => isHogEx))),
    transactionTime(tx),
    nextReadCounter(tx, currency),
  ]);
  const [terms, recorded] = await Promise.all([
    loadHolderTerms(tx, sharers(leases)),
    loadRecordedPayments(tx, currency, [...new Set([...txids, ...spenders.map(({ txid }) => txid)])]),
  ]);
  const facts = {
    addresses,
    leases,
    terms,
    spenders,
    known: records,
    recorded,
    lostPegOuts,
    place,
    nowMs,
    skewMs,
  };
  return { facts, scripts, readCounter };
}

function scriptsOf(seen: readonly SeenTransaction[]): string[] {
  return [...new Set(seen.flatMap(({ outputs }) => outputs.map(({ scriptHex }) => scriptHex)))];
}
