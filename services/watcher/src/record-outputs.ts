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
  const scripts = new Set(transactions.flatMap((t) => t.outputs.map((output) => toHex(output.script))));
  const [watched, spent] = await Promise.all([
    findWatchedScripts(context.store, currency, [...scripts]),
    findSpentOutpoints(
      context.store.sql,
      currency,
      transactions.flatMap((t) => claimsOf(t, place)),
    ),
  ]);
  return transactions.filter(
    (t) =>
      t.outputs.some((output) => watched.has(toHex(output.script))) ||
      claimsOf(t, place).some(({ txid, vout }) => spent.has(`${txid}:${vout}`)),
  );
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
  await lockChain(tx, currency);
  return place.isRescan ? lockRescannedBlock(tx, currency, place) : lockWantedBlock(tx, currency, place);
}

async function recordSeen(
  context: WatcherContext,
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  seen: readonly SeenTransaction[],
): Promise<Settled> {
  const txids = seen.map((transaction) => transaction.txid);
  const own = await ownFirstSeen(tx, currency, place, seen);
  await upsertTransactions(
    tx,
    currency,
    place,
    seen.map(({ txid }) => ({ txid, firstSeenMs: own(txid, false) })),
  );
  await insertInputs(tx, currency, seen);
  const { scripts, holders } = await recordPayments(tx, currency, seen, own);
  const voided = await voidRivals(tx, currency, liveTxids(seen));
  const rivals = await rivalsOf(tx, currency, txids);
  const paid = await findPaidInvoices(tx, currency, [...txids, ...voided, ...rivals]);
  // First of all: a lease that ends at this moment would else free an address that was paid.
  await lockInvoices(tx, [...paid, ...holders]);
  await retirePaidAddresses(tx, currency, scripts);
  if (place.kind === 'block') await advanceLastUsed(tx, currency, scripts);
  return settleInvoices(context, tx, currency, [...paid, ...holders]);
}

type OwnFirstSeen = (txid: string, isPegOut: boolean) => number;

/** When each transaction itself was first seen, by all that is known now and was known before. */
async function ownFirstSeen(
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  seen: readonly SeenTransaction[],
): Promise<OwnFirstSeen> {
  const known = await loadFirstSeen(
    tx,
    currency,
    seen.map((transaction) => transaction.txid),
  );
  const sightedAtMs = await transactionTime(tx);
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

/** Writes the outputs that pay leased scripts. Answers those scripts, and the invoices that hold them now. */
async function recordPayments(
  tx: TransactionSql,
  currency: Currency,
  seen: readonly SeenTransaction[],
  own: OwnFirstSeen,
): Promise<{ scripts: string[]; holders: bigint[] }> {
  const candidates = seen.flatMap((transaction) => transaction.outputs.map((output) => output.scriptHex));
  const leases = await loadScriptLeases(tx, currency, candidates);
  const leasesOf = Map.groupBy(leases, (lease) => lease.scriptHex);
  const rivals = await loadRivalPayments(
    tx,
    currency,
    seen.map((transaction) => transaction.txid),
  );
  const payments = seen.flatMap((transaction) => paymentsOf(transaction, leasesOf, rivals, own));
  await upsertPayments(tx, currency, payments);
  return {
    scripts: [...leasesOf.keys()],
    holders: leases.filter((lease) => lease.releasedAtMs === null).map((lease) => lease.invoiceId),
  };
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

async function rivalsOf(tx: TransactionSql, currency: Currency, txids: readonly string[]): Promise<string[]> {
  const rivals = await loadRivalPayments(tx, currency, txids);
  return [...new Set(rivals.map((rival) => rival.txid))];
}

function toHex(script: Uint8Array): string {
  return Buffer.from(script.buffer, script.byteOffset, script.byteLength).toString('hex');
}
