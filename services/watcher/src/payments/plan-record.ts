import type { SpentOutpoint } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { nextReadCounter } from '@paywatch/store/chain';
import { transactionTime } from '@paywatch/store/invoices';
import {
  type NewPayment,
  type Place,
  type ScriptLease,
  type SeenTransaction,
  type Sighted,
  findDescendants,
  findPaidInvoices,
  findSpenders,
  loadFirstRecords,
  loadHolderTerms,
  loadLostPegOuts,
  loadRecordedPayments,
  loadScriptAddresses,
  loadScriptLeases,
  lockUnheldAddresses,
} from '@paywatch/store/payments';
import type { PoolAddressRef } from '@paywatch/store/pools';
import type { TransactionSql } from '@paywatch/store/postgres';
import {
  type Facts,
  attributePayments,
  concernsUs,
  conflictingPairs,
  invoicesSharingScript,
  sightingOf,
  unreplaced,
} from './attribute-payments.ts';

/** The transactions, and the outpoints they spend, that may already be recorded. */
export type MayBeKnown = { transactions: readonly SeenTransaction[]; claims: readonly SpentOutpoint[] };

/** Where a batch was seen, and how far the clock of the source is ahead of that of Postgres. */
export type Batch = { currency: Currency; place: Place; skewMs: number };

/** What to write about the relevant transactions. */
export type RecordPlan = {
  seen: readonly SeenTransaction[];
  sightings: readonly Sighted[];
  payments: readonly NewPayment[];
  /** The transactions that make conflicting ones void; empty without conflicts. */
  winners: readonly string[];
  /** Both sides of every conflict: descendants of a transaction that lost to a block are void as well. */
  conflicting: readonly string[];
  /** All invoices whose facts change. */
  touched: readonly bigint[];
  addresses: readonly PoolAddressRef[];
  /** The scripts by which the payments were attributed. */
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

/** Reads the facts and locks addresses only: affected invoices must be queued and locked first. */
export async function planRecord(
  tx: TransactionSql,
  batch: Batch,
  candidates: readonly SeenTransaction[],
  known: MayBeKnown,
): Promise<RecordPlan> {
  if (candidates.length === 0) return NOTHING;
  const { facts, scripts, readCounter } = await loadFacts(tx, batch, candidates, known);
  const seen = candidates.filter(concernsUs(facts));
  if (seen.length === 0) return { ...NOTHING, readCounter };
  const pairs = conflictingPairs(seen, facts.spenders);
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
    winners: pairs.length > 0 ? unreplaced(seen) : [],
    conflicting,
    touched: [...new Set([...paid.filter((id) => id !== null), ...paidBelow, ...holders])],
    addresses: facts.addresses,
    scripts,
    leases: facts.leases,
    readCounter,
  };
}

async function loadFacts(
  tx: TransactionSql,
  { currency, place, skewMs }: Batch,
  seen: readonly SeenTransaction[],
  known: MayBeKnown,
): Promise<{ facts: Facts; scripts: string[]; readCounter: bigint }> {
  const scripts = scriptsOf(seen);
  const txids = known.transactions.map(({ txid }) => txid);
  // Sent together; Postgres runs them one after another.
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
    loadHolderTerms(tx, invoicesSharingScript(leases)),
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
