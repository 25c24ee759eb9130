import {
  attributePayment,
  firstSeen,
  inheritFirstSeen,
  type Currency,
  type ParsedTransaction,
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
import { publishSettled, settleInvoices, type Settled } from './settle-invoices.ts';
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
  const seen = relevant.map((transaction, index) => toSeen(transaction, times[index] ?? null));
  const settled = await inTransaction(context.store, (tx) => record(context, tx, sighting, seen));
  if (settled === null) return { matched: seen.length, isWanted: false };
  await publishSettled(context, settled);
  return { matched: seen.length, isWanted: true };
}

/** Transactions that pay a script that was ever leased, or that spend what a recorded transaction spends. */
async function findRelevant(context: WatcherContext, sighting: Sighting): Promise<ParsedTransaction[]> {
  const { currency, transactions } = sighting;
  const scripts = new Set(transactions.flatMap((t) => t.outputs.map((output) => toHex(output.script))));
  const [watched, spent] = await Promise.all([
    findWatchedScripts(context.store, currency, [...scripts]),
    findSpentOutpoints(
      context.store.sql,
      currency,
      transactions.flatMap((t) => t.inputs),
    ),
  ]);
  return transactions.filter(
    (t) =>
      t.outputs.some((output) => watched.has(toHex(output.script))) ||
      t.inputs.some((input) => spent.has(`${input.txid}:${input.vout}`)),
  );
}

function toSeen(transaction: ParsedTransaction, mempoolTimeMs: number | null): SeenTransaction {
  return {
    txid: transaction.txid,
    spends: transaction.inputs,
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
  await lockChain(tx, currency);
  if (place.kind === 'block' && !(await lockWantedBlock(tx, currency, place))) return null;
  const settled =
    seen.length > 0 ? await recordSeen(context, tx, currency, place, seen) : { changed: [], donations: [] };
  if (place.kind === 'block') await markBlockScanned(tx, currency, place);
  return settled;
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
  const scripts = await recordPayments(tx, currency, seen, own);
  const voided = await voidRivals(tx, currency, liveTxids(seen));
  await retirePaidAddresses(tx, currency, scripts);
  if (place.kind === 'block') await advanceLastUsed(tx, currency, scripts);
  const touched = await findPaidInvoices(tx, currency, [
    ...txids,
    ...voided,
    ...(await rivalsOf(tx, currency, txids)),
  ]);
  return settleInvoices(context, tx, currency, touched);
}

/** When each transaction itself was first seen, by all that is known now and was known before. */
async function ownFirstSeen(
  tx: TransactionSql,
  currency: Currency,
  place: Place,
  seen: readonly SeenTransaction[],
): Promise<(txid: string, isPegOut: boolean) => number> {
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

/** Writes the outputs that pay leased scripts and answers those scripts. */
async function recordPayments(
  tx: TransactionSql,
  currency: Currency,
  seen: readonly SeenTransaction[],
  own: (txid: string, isPegOut: boolean) => number,
): Promise<string[]> {
  const candidates = seen.flatMap((transaction) => transaction.outputs.map((output) => output.scriptHex));
  const leases = Map.groupBy(await loadScriptLeases(tx, currency, candidates), (lease) => lease.scriptHex);
  const rivals = await loadRivalPayments(
    tx,
    currency,
    seen.map((transaction) => transaction.txid),
  );
  const payments = seen.flatMap((transaction) => paymentsOf(transaction, leases, rivals, own));
  await upsertPayments(tx, currency, payments);
  return payments.map((payment) => payment.scriptHex);
}

/** The payments of one transaction, each given to its invoice, with the first-seen time that a replacement inherits. */
function paymentsOf(
  transaction: SeenTransaction,
  leases: ReadonlyMap<string, readonly ScriptLease[]>,
  rivals: readonly RivalPayment[],
  own: (txid: string, isPegOut: boolean) => number,
): NewPayment[] {
  const attributed = transaction.outputs.flatMap((output) => {
    const firstSeenMs = own(transaction.txid, transaction.isHogEx && output.vout > 0);
    const invoiceId = ownerOf(leases.get(output.scriptHex) ?? [], { firstSeenMs, amount: output.amount });
    return invoiceId === null ? [] : [{ ...output, txid: transaction.txid, invoiceId, firstSeenMs }];
  });
  return attributed.map((payment) => {
    const same = attributed.filter((other) => other.invoiceId === payment.invoiceId);
    const paid = same.reduce((sum, other) => sum + other.amount, 0n);
    const replaced = rivals.filter(
      (rival) => rival.rivalOf === payment.txid && rival.invoiceId === payment.invoiceId,
    );
    return { ...payment, firstSeenMs: inheritFirstSeen(payment.firstSeenMs, paid, replaced) };
  });
}

function ownerOf(
  leases: readonly ScriptLease[],
  payment: { firstSeenMs: number; amount: bigint },
): bigint | null {
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
