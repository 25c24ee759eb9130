import type { Currency, ParsedTransaction, SpentOutpoint } from '@paywatch/domain';
import {
  advanceLastUsed,
  currentFilter,
  findPaidInvoices,
  findSpenders,
  inTransaction,
  insertInputs,
  loadDueAmounts,
  loadFirstSeen,
  loadRivalPayments,
  loadScriptLeases,
  lockChain,
  lockChainAsLeader,
  lockInvoices,
  lockRescannedBlock,
  lockWantedBlock,
  markBlockScanned,
  mayBeSpent,
  queueDecisions,
  retirePaidAddresses,
  transactionTime,
  upsertPayments,
  upsertTransactions,
  voidRivals,
  type NewPayment,
  type Place,
  type PoolAddressRef,
  type SeenTransaction,
  type TransactionSql,
} from '@paywatch/store';
import {
  attributePayments,
  concernsUs,
  ownFirstSeen,
  rivalPairs,
  sharers,
  standing,
  type Facts,
} from './attribute-payments.ts';
import type { LeaderContext, WatcherContext } from './context.ts';
import { claimsOf, findCandidates, toHex, type Candidates } from './find-candidates.ts';
import { publishSettled, settleInvoices } from './settle-invoices.ts';

/** What a block came to; `matched` counts transactions that concern us. */
export type Recorded = { matched: number; isWanted: boolean };

type BlockPlace = Extract<Place, { kind: 'block' }>;

/**
 * The way in for payments of a block: followed, caught up with, connected by a reorg or read again. Writes what concerns us
 * and queues the invoices that it touches: they are decided once, when the tip has moved. Doing it again, also at the same
 * time elsewhere, changes nothing. A block that has left the best chain meanwhile (`isWanted` false) is left alone.
 */
export async function recordBlock(
  { store }: WatcherContext,
  currency: Currency,
  place: BlockPlace,
  transactions: readonly ParsedTransaction[],
): Promise<Recorded> {
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
    const candidates = await findCandidates(store, { currency, height, transactions }, filter, tx);
    const seen = candidates.transactions.map((transaction) => toSeen(transaction, candidates, height));
    const plan = await planRecord(tx, currency, place, seen, mayBeKnown(seen, candidates));
    await Promise.all([
      queueDecisions(tx, currency, plan.touched),
      writePlan(tx, currency, place, plan),
      advanceLastUsed(tx, plan.addresses),
      markBlockScanned(tx, currency, place),
    ]);
    return { matched: plan.seen.length, isWanted };
  });
}

/** Transactions that a mempool holds. `mempoolTimes` asks its node when those that matter entered it. */
export type MempoolSighting = {
  currency: Currency;
  transactions: readonly ParsedTransaction[];
  mempoolTimes: (txids: readonly string[]) => Promise<(number | null)[]>;
};

/**
 * The way in for payments of a mempool, which the leader of the chain reads. Decides the invoices in the same transaction, for
 * their payers look at the page now, and publishes after the commit. Doing it again changes nothing. Throws LeadLostError.
 */
export async function recordMempool(
  context: LeaderContext,
  { currency, transactions, mempoolTimes }: MempoolSighting,
): Promise<void> {
  const { store, processId } = context;
  const filter = await currentFilter(store, currency);
  const candidates = await findCandidates(store, { currency, height: null, transactions }, filter);
  if (candidates.transactions.length === 0) return;
  const times = await mempoolTimes(candidates.transactions.map(({ txid }) => txid));
  const seen = candidates.transactions.map((transaction, index) => ({
    ...toSeen(transaction, candidates, null),
    mempoolTimeMs: times[index] ?? null,
  }));
  // All of them: since the filter was asked, a block may have been recorded.
  const known = { transactions: seen, claims: seen.flatMap(({ spends }) => spends) };
  const settled = await inTransaction(store, async (tx) => {
    // What a former leader has read may have been replaced since.
    await lockChainAsLeader(tx, currency, processId);
    const place = { kind: 'mempool' } as const;
    const plan = await planRecord(tx, currency, place, seen, known);
    await writePlan(tx, currency, place, plan);
    return settleInvoices(context, tx, currency, plan.touched);
  });
  await publishSettled(context, settled);
}

/** With the outputs that may be ours. */
function toSeen(
  transaction: ParsedTransaction,
  { filter }: Candidates,
  height: number | null,
): SeenTransaction {
  return {
    txid: transaction.txid,
    spends: claimsOf(transaction, height),
    outputs: transaction.outputs
      .filter(({ script }) => filter.mayPay(script, 0, script.length))
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

/** What is to be written of the transactions that concern us. */
type RecordPlan = {
  seen: readonly SeenTransaction[];
  sightings: readonly { txid: string; firstSeenMs: number }[];
  payments: readonly NewPayment[];
  /** Those that make void what conflicts with them; none where nothing does. */
  winners: readonly string[];
  /** All invoices whose facts that changes. */
  touched: readonly bigint[];
  addresses: readonly PoolAddressRef[];
};

const NOTHING: RecordPlan = {
  seen: [],
  sightings: [],
  payments: [],
  winners: [],
  touched: [],
  addresses: [],
};

/** Reads what has to be known, and writes nothing: whom it touches is to be queued and locked first. */
async function planRecord(
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  candidates: readonly SeenTransaction[],
  known: MayBeKnown,
): Promise<RecordPlan> {
  if (candidates.length === 0) return NOTHING;
  const facts = await loadFacts(tx, currency, place, candidates, known);
  const seen = candidates.filter(concernsUs(facts));
  if (seen.length === 0) return NOTHING;
  const pairs = rivalPairs(seen, facts.spenders);
  // Sent together, answered one after the other.
  const [rivals, paidBefore] = await Promise.all([
    loadRivalPayments(tx, currency, pairs),
    findPaidInvoices(tx, currency, [
      ...known.transactions.map(({ txid }) => txid),
      ...facts.spenders.map(({ txid }) => txid),
    ]),
  ]);
  const payments = attributePayments(seen, facts, rivals);
  const paid = payments.map(({ invoiceId }) => invoiceId);
  const holders = facts.leases.flatMap((lease) => (lease.releasedAtMs === null ? lease.invoiceId : []));
  return {
    seen,
    sightings: seen.map((transaction) => ({
      txid: transaction.txid,
      firstSeenMs: ownFirstSeen(transaction, facts),
    })),
    payments,
    winners: pairs.length > 0 ? standing(seen) : [],
    touched: [...new Set([...paid, ...paidBefore, ...holders])],
    addresses: facts.leases,
  };
}

/**
 * Statements that need not wait for each other's answers are sent together; Postgres runs them in this order. Never together with
 * work that goes on to send more: after a failure that would come behind the rollback, and stand alone.
 */
async function writePlan(
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  { seen, sightings, payments, winners, touched, addresses }: RecordPlan,
): Promise<void> {
  if (seen.length === 0) return;
  await Promise.all([
    // First of all, as whoever decides them does, too; and a lease that ends at this moment would else free an address that was paid.
    lockInvoices(tx, touched),
    upsertTransactions(tx, currency, place, sightings),
    insertInputs(tx, currency, seen),
    upsertPayments(tx, currency, payments),
    voidRivals(tx, currency, winners),
    // Addresses that were paid are given to nobody again.
    retirePaidAddresses(tx, addresses),
  ]);
}

async function loadFacts(
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  seen: readonly SeenTransaction[],
  known: MayBeKnown,
): Promise<Facts> {
  const [leases, spenders, knownSinceMs, nowMs] = await Promise.all([
    loadScriptLeases(
      tx,
      currency,
      seen.flatMap(({ outputs }) => outputs.map((output) => output.scriptHex)),
    ),
    findSpenders(tx, currency, known.claims),
    loadFirstSeen(
      tx,
      currency,
      known.transactions.map(({ txid }) => txid),
    ),
    transactionTime(tx),
  ]);
  const dueAmounts = await loadDueAmounts(tx, sharers(leases));
  return { leases, dueAmounts, spenders, knownSinceMs, place, nowMs };
}
