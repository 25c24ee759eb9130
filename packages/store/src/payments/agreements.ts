import type { Currency } from '@paywatch/domain/values';
import { onConflictLockQueued } from '../invoices/due-decisions.ts';
import type { AnySql, Sql, TransactionSql } from '../postgres/database.ts';

/** How deep at least two sources have a transaction, in the block with this hash. */
export type Agreement = { blockHash: string | null; depth: number };

/** A transaction in a best-chain block that large orders wait for; `depthWanted` is at most its depth on our chain. */
export type OpenAgreement = { txid: string; height: number; hash: string; depthWanted: number };

/** The agreements on these transactions, by txid. */
export async function loadAgreements(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<Map<string, Agreement>> {
  const rows = await tx<{ txid: string; block_hash: string | null; depth_agreed: number }[]>`
    select encode(txid, 'hex') as txid, encode(block_hash, 'hex') as block_hash, depth_agreed from agreements
    where currency = ${currency} and txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))`;
  return new Map(rows.map((row) => [row.txid, { blockHash: row.block_hash, depth: row.depth_agreed }]));
}

/**
 * Requests that watchers check whether a second source has these transactions at this depth. An agreement on the current block
 * is kept, because other orders of the transaction rely on it. An agreement on another block is deleted.
 */
export async function askForAgreement(
  tx: TransactionSql,
  currency: Currency,
  wanted: readonly { txid: string; depth: number }[],
): Promise<void> {
  if (wanted.length === 0) return;
  await tx`
    insert into agreements (currency, txid, depth_wanted)
    select ${currency}, decode(txid, 'hex'), max(depth)
    from unnest(${wanted.map((w) => w.txid)}::text[], ${wanted.map((w) => w.depth)}::int[]) as w (txid, depth)
    group by 2 order by 2
    on conflict (currency, txid) do update set
      depth_wanted = greatest(agreements.depth_wanted, excluded.depth_wanted),
      depth_agreed = case when agreements.block_hash = ${presentBlock(tx)} then agreements.depth_agreed else 0 end,
      block_hash = case when agreements.block_hash = ${presentBlock(tx)} then agreements.block_hash end`;
}

/** The block that contains the transaction of an agreement now; null outside the best chain. */
function presentBlock(sql: AnySql) {
  return sql`(select t.block_hash from transactions t where t.currency = agreements.currency and t.txid = agreements.txid)`;
}

/**
 * Claims transactions that are deeper on our chain than agreed and needed, for `seconds`. Other watchers skip them meanwhile,
 * and after a failure they are claimed again. Includes those that are not yet at the greatest depth needed, because another
 * order of the transaction may need less.
 */
export async function claimOpenAgreements(
  sql: Sql,
  currency: Currency,
  { limit, seconds }: { limit: number; seconds: number },
): Promise<OpenAgreement[]> {
  return sql<OpenAgreement[]>`
    with open as (
      select a.txid, t.block_height, t.block_hash, least(a.depth_wanted, c.tip_height - t.block_height + 1) as depth
      from agreements a
      join transactions t on t.currency = a.currency and t.txid = a.txid and t.state = 'block'
      join chains c on c.currency = a.currency
      where a.currency = ${currency} and a.depth_agreed < a.depth_wanted
        and c.tip_height - t.block_height + 1 > case when a.block_hash = t.block_hash then a.depth_agreed else 0 end
        and (a.asked_at is null or a.asked_at < now() - make_interval(secs => ${seconds}))
      order by a.txid limit ${limit} for update of a skip locked
    )
    update agreements a set asked_at = now()
    from open where a.currency = ${currency} and a.txid = open.txid
    returning encode(a.txid, 'hex') as txid, open.block_height as height, encode(open.block_hash, 'hex') as hash,
      open.depth as "depthWanted"`;
}

/**
 * Stores that two sources have the transaction at least this deep in this block, and queues the invoices that it pays. Does
 * nothing if it left the block meanwhile. Safe to repeat, in any order.
 */
export async function recordAgreement(
  sql: AnySql,
  currency: Currency,
  { txid, hash, depth }: { txid: string; hash: string; depth: number },
): Promise<void> {
  await sql`
    with agreed as (
      update agreements a set block_hash = t.block_hash,
        depth_agreed = greatest(${depth}, case when a.block_hash = t.block_hash then a.depth_agreed end)
      from transactions t
      where a.currency = ${currency} and a.txid = decode(${txid}, 'hex')
        and t.currency = a.currency and t.txid = a.txid and t.block_hash = decode(${hash}, 'hex')
      returning a.txid
    )
    insert into due_decisions (currency, invoice_id)
    select distinct ${currency}::text, p.invoice_id
    from agreed join payments p on p.currency = ${currency} and p.txid = agreed.txid and p.invoice_id is not null
    ${onConflictLockQueued(sql)}`;
}

/**
 * Queues the invoices that a transaction pays although no second source agrees: the operator may have changed the limit for
 * agreements. `isDropped` deletes the request; a decision that still needs it requests it again.
 */
export async function reconsiderUnagreed(
  sql: AnySql,
  currency: Currency,
  txid: string,
  { isDropped }: { isDropped: boolean },
): Promise<void> {
  await sql`
    with dropped as (
      delete from agreements where ${isDropped} and currency = ${currency} and txid = decode(${txid}, 'hex')
    )
    insert into due_decisions (currency, invoice_id)
    select distinct ${currency}::text, p.invoice_id
    from payments p
    where p.currency = ${currency} and p.txid = decode(${txid}, 'hex') and p.invoice_id is not null
    ${onConflictLockQueued(sql)}`;
}
