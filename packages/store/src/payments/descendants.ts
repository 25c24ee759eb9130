import type { Currency } from '@paywatch/domain/values';
import type { AnySql, TransactionSql } from '../postgres/database.ts';

/** Far more than nodes accept in one chain of a mempool. */
const MAX_DESCENDANTS = 10_000;

/** Recorded transactions that spend an output of any of these, directly or through others. */
export async function findDescendants(
  sql: AnySql,
  currency: Currency,
  txids: readonly string[],
): Promise<string[]> {
  if (txids.length === 0) return [];
  return selectDescendants(
    sql,
    currency,
    sql`select decode(t, 'hex') as txid from unnest(${txids}::text[]) t`,
  );
}

/**
 * Makes descendants void if their ancestor is void because of a conflict in a block: no block can contain them either. `txids`
 * are the transactions whose conflicts were just recorded. Nothing in a block changes. Safe to repeat.
 */
export async function voidDescendants(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<void> {
  if (txids.length === 0) return;
  await tx`
    with recursive root as (
      select t.txid from transactions t
      where t.currency = ${currency} and t.state = 'void'
        and t.txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))
        and exists (
          select from ${rivalsOf(tx, currency, tx`t.txid`)} theirs
          cross join lateral ${stateOf(tx, currency, tx`theirs.txid`)} rival where rival.state = 'block')
    ),
    ${descendants(tx, currency)}
    update transactions t set state = 'void', absent_since = coalesce(t.absent_since, now())
    where t.currency = ${currency} and t.txid = any (array(select txid from descendant)) and t.state in ('mempool', 'absent')`;
}

/** Recorded transactions that descend from transactions in conflict with these, directly or through others. */
export async function findDescendantsOfConflicting(
  sql: AnySql,
  currency: Currency,
  txids: readonly string[],
): Promise<string[]> {
  if (txids.length === 0) return [];
  return selectDescendants(
    sql,
    currency,
    sql`
      select theirs.txid from unnest(${txids}::text[]) gone
      cross join lateral ${rivalsOf(sql, currency, sql`decode(gone, 'hex')`)} theirs`,
  );
}

/** The descendants of the transactions whose txids `roots` selects. */
async function selectDescendants(
  sql: AnySql,
  currency: Currency,
  roots: ReturnType<AnySql>,
): Promise<string[]> {
  const rows = await sql<{ txid: string }[]>`
    with recursive root as (${roots}),
    ${descendants(sql, currency)}
    select encode(txid, 'hex') as txid from descendant`;
  return rows.map((row) => row.txid);
}

/**
 * Restores transactions that are void only because of an ancestor whose conflict left the best chain: they are absent until a
 * mempool or block contains them again. A transaction with a conflict of its own, or another lost ancestor, stays void.
 */
export async function restoreTransactions(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<void> {
  if (txids.length === 0) return;
  await tx`
    update transactions t set state = 'absent'
    where t.currency = ${currency} and t.txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))
      and t.state = 'void' and t.absent_since is not null
      and not exists (select from ${rivalsOf(tx, currency, tx`t.txid`)} theirs)
      and not ${isLost(tx, tx`t.currency`, tx`t.txid`)}`;
}

/** Whether a transaction or one of its ancestors has a conflict in a best-chain block, as a condition on its columns. */
export function isLost(sql: AnySql, currency: Fragment, txid: Fragment) {
  return sql`exists (
    ${rivalsOfLine(sql, currency, txid)}
    cross join lateral ${stateOf(sql, currency, sql`theirs.txid`)} rival where rival.state = 'block')`;
}

/** Whether a conflict of a transaction or of one of its ancestors is recorded, in a block or not, as a condition on its columns. */
export function hasRival(sql: AnySql, currency: Fragment, txid: Fragment) {
  return sql`exists (${rivalsOfLine(sql, currency, txid)})`;
}

/** The recorded conflicts, as `theirs`, of a transaction and of its ancestors. */
function rivalsOfLine(sql: AnySql, currency: Fragment, txid: Fragment) {
  return sql`
    with recursive line as (
      select ${txid} as txid
      union
      select i.spent_txid from line cross join lateral (
        select spent_txid from transaction_inputs where currency = ${currency} and txid = line.txid offset 0) i
    )
    select from line cross join lateral ${rivalsOf(sql, currency, sql`line.txid`)} theirs`;
}

type Fragment = ReturnType<AnySql> | Currency;

// Each step goes from one transaction to its inputs: plain joins may be planned over all inputs.

/** All descendants of `root`, without it. A set, so that the recursion ends; bounded. */
function descendants(sql: AnySql, currency: Currency) {
  return sql`
    spending as (
      select i.txid from root cross join lateral ${spendersOf(sql, currency, sql`root.txid`)} i
      union
      select i.txid from spending cross join lateral ${spendersOf(sql, currency, sql`spending.txid`)} i
    ), descendant as (select txid from spending limit ${MAX_DESCENDANTS})`;
}

function spendersOf(sql: AnySql, currency: Currency, txid: Fragment) {
  return sql`(select txid from transaction_inputs where currency = ${currency} and spent_txid = ${txid} offset 0)`;
}

/** Recorded transactions that share an input with this one. */
function rivalsOf(sql: AnySql, currency: Fragment, txid: Fragment) {
  return sql`(
    select theirs.txid from (
      select spent_txid, spent_vout, txid from transaction_inputs
      where currency = ${currency} and txid = ${txid} offset 0) mine
    cross join lateral (
      select txid from transaction_inputs where currency = ${currency} and spent_txid = mine.spent_txid
        and spent_vout = mine.spent_vout and txid <> mine.txid offset 0) theirs)`;
}

function stateOf(sql: AnySql, currency: Fragment, txid: Fragment) {
  return sql`(select state from transactions where currency = ${currency} and txid = ${txid} offset 0)`;
}
