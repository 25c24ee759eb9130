import {
  attributePayment,
  firstSeen,
  inheritFirstSeen,
  type Currency,
  type ParsedTransaction,
  type SpentOutpoint,
} from '@paywatch/domain';
import {
  advanceLastUsed,
  currentFilter,
  findPaidInvoices,
  findSpentOutpoints,
  findWatchedScripts,
  inTransaction,
  insertInputs,
  loadFirstSeen,
  loadRivalPayments,
  loadScriptLeases,
  lockChain,
  lockChainAsLeader,
  lockInvoices,
  lockRescannedBlock,
  lockWantedBlock,
  markBlockScanned,
  retirePaidAddresses,
  transactionTime,
  upsertPayments,
  upsertTransactions,
  voidRivals,
  type MatchFilter,
  type NewPayment,
  type Place,
  type RivalPayment,
  type ScriptLease,
  type SeenTransaction,
  type TransactionSql,
} from '@paywatch/store';
import { NOTHING_SETTLED, publishSettled, settleInvoices, type Settled } from './settle-invoices.ts';
import type { WatcherContext } from './context.ts';

/** Transactions seen together. For a mempool, `mempoolTimes` asks the node when those that matter entered it. */
export type Sighting = {
  currency: Currency;
  place: Place;
  transactions: readonly ParsedTransaction[];
  mempoolTimes: (txids: readonly string[]) => Promise<(number | null)[]>;
};

/** What one sighting came to; `matched` counts transactions that concern us. */
export type Recorded = { matched: number; isWanted: boolean };

/**
 * The one way in for payments: from the mempool, a block, catch-up, a reorg or a rescan. Matches what was seen, writes
 * it, decides the invoices it touches in the same transaction, and publishes after the commit.
 * Doing it again, also at the same time elsewhere, changes nothing. A block that is no longer wanted is left alone.
 */
export async function recordOutputs(context: WatcherContext, sighting: Sighting): Promise<Recorded> {
  const relevant = await findRelevant(context, sighting);
  const times = await sighting.mempoolTimes(relevant.map((transaction) => transaction.txid));
  const seen = relevant.map((transaction, index) =>
    toSeen(transaction, sighting.place, times[index] ?? null),
  );
  const settled = await inTransaction(context.store, (tx) => record(context, tx, sighting, seen));
  if (settled === null) return { matched: seen.length, isWanted: false };
  await publishSettled(context, settled);
  return { matched: seen.length, isWanted: true };
}

/** Transactions that pay a script that was ever leased, or that spend what a recorded transaction spends. */
export async function findRelevant(
  context: WatcherContext,
  { currency, place, transactions }: Pick<Sighting, 'currency' | 'place' | 'transactions'>,
): Promise<ParsedTransaction[]> {
  const filter = (await currentFilter(context.store, currency)) ?? EVERYTHING;
  const candidates = transactions.filter(
    (transaction) => transaction.concerns(filter) || transaction.isCoinbase,
  );
  const scripts = candidates.flatMap((transaction) => scriptsOf(transaction, filter));
  const spending = candidates.filter((transaction) => mayClaim(transaction, filter));
  const [watched, spent] = await Promise.all([
    findWatchedScripts(context.store, currency, [...new Set(scripts)]),
    findSpentOutpoints(
      context.store.sql,
      currency,
      spending.flatMap((transaction) => claimsOf(transaction, place)),
    ),
  ]);
  return candidates.filter(
    (transaction) =>
      scriptsOf(transaction, filter).some((script) => watched.has(script)) ||
      claimsOf(transaction, place).some(({ txid, vout }) => spent.has(`${txid}:${vout}`)),
  );
}

const EVERYTHING: MatchFilter = { mayPay: () => true, maySpend: () => true };

/** Those that pass, in lowercase hex. */
function scriptsOf({ outputs }: ParsedTransaction, { mayPay }: MatchFilter): string[] {
  return outputs.filter(({ script }) => mayPay(script, 0, script.length)).map(({ script }) => toHex(script));
}

/** A coinbase claims what stands nowhere in it, so that there is always one to be looked up. */
function mayClaim(transaction: ParsedTransaction, { maySpend }: MatchFilter): boolean {
  return transaction.isCoinbase || transaction.concerns({ maySpend, mayPay: () => false });
}

const NO_TXID = '0'.repeat(64);

/**
 * What only one transaction can have: the outputs that it spends. A coinbase has its height to itself, so that it is void
 * once another block stands there; no mempool would ever hold it again. A HogEx claims nothing: the next branch's always
 * spends the same as it did, and that says nothing of the peg-outs that it pays.
 */
function claimsOf(transaction: ParsedTransaction, place: Place): readonly SpentOutpoint[] {
  if (transaction.isHogEx) return [];
  if (transaction.isCoinbase && place.kind === 'block') return [{ txid: NO_TXID, vout: place.height }];
  return transaction.inputs;
}

function toSeen(transaction: ParsedTransaction, place: Place, mempoolTimeMs: number | null): SeenTransaction {
  return {
    txid: transaction.txid,
    spends: claimsOf(transaction, place),
    outputs: transaction.outputs.map(({ vout, amount, script }) => ({
      vout,
      amount,
      scriptHex: toHex(script),
    })),
    mempoolTimeMs,
    isHogEx: transaction.isHogEx,
  };
}

/** Null when the block has left the best chain meanwhile. */
async function record(
  context: WatcherContext,
  tx: TransactionSql,
  { currency, place }: Sighting,
  seen: readonly SeenTransaction[],
): Promise<Settled | null> {
  if (!(await isStillTrue(tx, currency, place))) return null;
  const settled = seen.length > 0 ? await recordSeen(context, tx, currency, place, seen) : NOTHING_SETTLED;
  if (place.kind === 'block') await markBlockScanned(tx, currency, place);
  return settled;
}

/**
 * Whether what was seen there may be recorded now; what it says holds until the transaction ends. A mempool that was
 * read by a former leader throws LeadLostError: what it saw may have been replaced since.
 */
async function isStillTrue(tx: TransactionSql, currency: Currency, place: Place): Promise<boolean> {
  if (place.kind === 'mempool') {
    await lockChainAsLeader(tx, currency, place.readBy);
    return true;
  }
  const lockBlock = place.isRescan ? lockRescannedBlock : lockWantedBlock;
  const [, isWanted] = await Promise.all([lockChain(tx, currency), lockBlock(tx, currency, place)]);
  return isWanted;
}

/**
 * Statements that need not wait for each other's answers are sent together; Postgres runs them in this order. Never together with
 * work that goes on to send more: after a failure that would come behind the rollback, and stand alone.
 */
async function recordSeen(
  context: WatcherContext,
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  seen: readonly SeenTransaction[],
): Promise<Settled> {
  const own = await ownFirstSeen(tx, currency, place, seen);
  const sightings = seen.map(({ txid }) => ({ txid, firstSeenMs: own(txid, false) }));
  const scripts = seen.flatMap(({ outputs }) => outputs.map((output) => output.scriptHex));
  const [leases, , hasRivals] = await Promise.all([
    loadScriptLeases(tx, currency, scripts),
    upsertTransactions(tx, currency, place, sightings),
    insertInputs(tx, currency, seen),
  ]);
  const paid = await recordPayments(tx, currency, seen, { leases, hasRivals, own });
  const holders = leases.filter((lease) => lease.releasedAtMs === null).map((lease) => lease.invoiceId);
  const touched = [...new Set([...paid, ...holders])];
  const leased = [...new Set(leases.map((lease) => lease.scriptHex))];
  await Promise.all([
    // First of all: a lease that ends at this moment would else free an address that was paid.
    lockInvoices(tx, touched),
    retirePaidAddresses(tx, currency, leased),
    place.kind === 'block' ? advanceLastUsed(tx, currency, leased) : undefined,
  ]);
  return settleInvoices(context, tx, currency, touched);
}

type OwnFirstSeen = (txid: string, isPegOut: boolean) => number;

/** When each transaction itself was first seen, by all that is known now and was known before. */
async function ownFirstSeen(
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  seen: readonly SeenTransaction[],
): Promise<OwnFirstSeen> {
  const txids = seen.map((transaction) => transaction.txid);
  const [known, sightedAtMs] = await Promise.all([loadFirstSeen(tx, currency, txids), transactionTime(tx)]);
  const byTxid = new Map(seen.map((transaction) => [transaction.txid, transaction]));
  return (txid, isPegOut) => {
    const metInBlockTimeMs = place.kind === 'block' && !known.has(txid) ? place.timeMs : null;
    const mempoolTimeMs = byTxid.get(txid)?.mempoolTimeMs ?? null;
    return firstSeen({
      sightedAtMs: Math.min(sightedAtMs, known.get(txid) ?? sightedAtMs),
      mempoolTimeMs,
      metInBlockTimeMs,
      isPegOut,
    });
  };
}

/** What the payments of one sighting are made of. */
type PaymentFacts = { leases: readonly ScriptLease[]; hasRivals: boolean; own: OwnFirstSeen };

/** Writes the outputs that pay leased scripts, and makes void what conflicts with them. Answers the invoices that this touches. */
async function recordPayments(
  tx: TransactionSql,
  currency: Currency,
  seen: readonly SeenTransaction[],
  { leases, hasRivals, own }: PaymentFacts,
): Promise<bigint[]> {
  const leasesOf = Map.groupBy(leases, (lease) => lease.scriptHex);
  const txids = seen.map(({ txid }) => txid);
  const rivals = hasRivals ? await loadRivalPayments(tx, currency, txids) : [];
  const payments = seen.flatMap((transaction) => paymentsOf(transaction, leasesOf, rivals, own));
  const paid = await upsertPayments(tx, currency, payments);
  const voided = hasRivals ? await voidRivals(tx, currency, liveTxids(seen)) : [];
  const others = [...voided, ...rivals.map(({ txid }) => txid)];
  return [...paid, ...(await findPaidInvoices(tx, currency, others))];
}

/** The payments of one transaction, each given to its invoice, with the first-seen time that a replacement inherits. */
function paymentsOf(
  transaction: SeenTransaction,
  leasesOf: ReadonlyMap<string, readonly ScriptLease[]>,
  rivals: readonly RivalPayment[],
  own: OwnFirstSeen,
): NewPayment[] {
  const { txid } = transaction;
  const replaced = rivals.filter((rival) => rival.rivalOf === txid);
  const attributed = transaction.outputs.flatMap((output) => {
    const invoiceId = ownerOf(leasesOf.get(output.scriptHex) ?? [], replaced, {
      // Without a peg-out's head start, which is there to be in time, not to be another invoice's.
      firstSeenMs: own(txid, false),
      amount: output.amount,
    });
    const isPegOut = transaction.isHogEx && output.vout > 0;
    const firstSeenMs = own(txid, isPegOut);
    return invoiceId === null ? [] : [{ ...output, txid, invoiceId, firstSeenMs, isPegOut }];
  });
  return attributed.map((payment) => {
    const same = attributed.filter((other) => other.invoiceId === payment.invoiceId);
    const paid = same.reduce((sum, other) => sum + other.amount, 0n);
    const heirOf = replaced.filter((rival) => rival.invoiceId === payment.invoiceId);
    return { ...payment, firstSeenMs: inheritFirstSeen(payment.firstSeenMs, paid, heirOf) };
  });
}

/** A fee bump is the same money: it stays with the holder of the address whom the replaced transaction paid. */
function ownerOf(
  leases: readonly ScriptLease[],
  replaced: readonly RivalPayment[],
  payment: { firstSeenMs: number; amount: bigint },
): bigint | null {
  const bumped = leases.find((lease) => replaced.some((rival) => rival.invoiceId === lease.invoiceId));
  if (bumped) return bumped.invoiceId;
  const named = leases.map((lease) => ({ ...lease, invoiceId: String(lease.invoiceId) }));
  const owner = attributePayment(named, payment);
  return owner === null ? null : BigInt(owner);
}

/** Of transactions in one sighting that share an input, the last one stands: it arrived later. */
function liveTxids(seen: readonly SeenTransaction[]): string[] {
  const spender = new Map(
    seen.flatMap((t) => t.spends.map((spent) => [`${spent.txid}:${spent.vout}`, t.txid] as const)),
  );
  return seen.flatMap((t) =>
    t.spends.every((spent) => spender.get(`${spent.txid}:${spent.vout}`) === t.txid) ? [t.txid] : [],
  );
}

function toHex(script: Uint8Array): string {
  return Buffer.from(script.buffer, script.byteOffset, script.byteLength).toString('hex');
}
