import type { ParsedTransaction, SpentOutpoint } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { findDerivedScripts, findSpenders, mayBeSpent, type MatchFilter } from '@paywatch/store/payments';
import type { AnySql } from '@paywatch/store/postgres';

/** Transactions seen together. `height` is that of their block, null for a mempool. */
export type Batch = {
  currency: Currency;
  height: number | null;
  transactions: readonly ParsedTransaction[];
};

/** Transactions that may be relevant. Only those of their outputs and inputs that pass `filter` can be. */
export type Candidates = { transactions: readonly ParsedTransaction[]; filter: MatchFilter };

/**
 * All transactions that pay a script that was ever derived, or that spend an outpoint that a recorded one spends; rarely also
 * an irrelevant one. `filter` is the current filter; without one, everything is looked up with `sql`.
 */
export async function findCandidates(
  sql: AnySql,
  batch: Batch,
  filter: MatchFilter | null,
): Promise<Candidates> {
  if (filter === null) return { transactions: await lookUpAll(sql, batch), filter: EVERYTHING };
  const transactions = batch.transactions.filter(
    (transaction) =>
      transaction.concerns(filter) ||
      (transaction.isCoinbase &&
        claimsOf(transaction, batch.height).some((claim) => mayBeSpent(filter, claim))),
  );
  return { transactions, filter };
}

const EVERYTHING: MatchFilter = { mayPay: () => true, maySpend: () => true };

const NO_TXID = '0'.repeat(64);

/**
 * The outpoints that only one transaction can spend. A coinbase claims its height, so it is void once another block has that
 * height; no mempool could ever hold it again. A HogEx claims nothing: the HogEx of the next branch always spends the same
 * outpoint, which says nothing about its peg-outs.
 */
export function claimsOf(transaction: ParsedTransaction, height: number | null): readonly SpentOutpoint[] {
  if (transaction.isHogEx) return [];
  if (transaction.isCoinbase && height !== null) return [{ txid: NO_TXID, vout: height }];
  return transaction.inputs;
}

/** Looks up every output and input in Postgres, for the time without a filter. */
async function lookUpAll(
  sql: AnySql,
  { currency, height, transactions }: Batch,
): Promise<ParsedTransaction[]> {
  const scripts = new Set(transactions.flatMap(scriptsOf));
  const claims = transactions.flatMap((transaction) => claimsOf(transaction, height));
  const [derived, spenders] = await Promise.all([
    findDerivedScripts(sql, currency, [...scripts]),
    findSpenders(sql, currency, claims),
  ]);
  const claimed = new Set(spenders.map(({ outpoint }) => outpoint));
  return transactions.filter(
    (transaction) =>
      scriptsOf(transaction).some((script) => derived.has(script)) ||
      claimsOf(transaction, height).some(({ txid, vout }) => claimed.has(`${txid}:${vout}`)),
  );
}

function scriptsOf({ outputs }: ParsedTransaction): string[] {
  return outputs.map(({ script }) => toHex(script));
}

/** Lowercase hex of a script. */
export function toHex(script: Uint8Array): string {
  return Buffer.from(script.buffer, script.byteOffset, script.byteLength).toString('hex');
}
