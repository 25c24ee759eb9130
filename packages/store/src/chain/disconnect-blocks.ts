import type { Currency } from '@paywatch/domain/values';
import { onConflictLockQueued } from '../invoices/due-decisions.ts';
import { findDescendantsOfConflicting, restoreTransactions } from '../payments/descendants.ts';
import { type TransactionSql, inTransaction } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { lockChainAsLeader } from './leadership.ts';

/**
 * Disconnects every block above `height`: their transactions become absent and their invoices are queued. Safe to repeat.
 * Throws LeadershipLostError.
 */
export async function disconnectAbove(
  store: Store,
  currency: Currency,
  processId: string,
  height: number,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    await lockChainAsLeader(tx, currency, processId);
    await tx`
      insert into due_decisions (currency, invoice_id)
      select distinct t.currency, p.invoice_id
      from transactions t join payments p on p.currency = t.currency and p.txid = t.txid
      where t.currency = ${currency} and t.block_height > ${height} and p.invoice_id is not null
      ${onConflictLockQueued(tx)}`;
    await queueConflicting(tx, currency, height);
    const leaving = await findTransactionsAbove(tx, currency, height);
    const descendants = await findDescendantsOfConflicting(tx, currency, leaving);
    await queueInvoicesPaidBy(tx, currency, descendants);
    await tx`
      update transactions set state = 'absent', absent_since = now(), block_height = null, block_hash = null
      where currency = ${currency} and block_height > ${height}`;
    await restoreTransactions(tx, currency, descendants);
    await tx`
      with gone as (
        delete from chain_blocks where currency = ${currency} and height > ${height}
        returning hash, height, previous_hash
      )
      insert into disconnected_blocks (currency, hash, height, previous_hash)
      select ${currency}, hash, height, previous_hash from gone
      on conflict do nothing`;
    await tx`
      update chains c set tip_height = b.height, tip_hash = b.hash, tip_time = b.time
      from chain_blocks b
      where c.currency = ${currency} and b.currency = c.currency and b.height = ${height}
        and c.tip_height > ${height}`;
  });
}

async function queueInvoicesPaidBy(
  tx: TransactionSql,
  currency: Currency,
  txids: readonly string[],
): Promise<void> {
  if (txids.length === 0) return;
  await tx`
    insert into due_decisions (currency, invoice_id)
    select distinct ${currency}::text, p.invoice_id from payments p
    where p.currency = ${currency} and p.invoice_id is not null
      and p.txid = any (array(select decode(t, 'hex') from unnest(${txids}::text[]) t))
    ${onConflictLockQueued(tx)}`;
}

async function findTransactionsAbove(
  tx: TransactionSql,
  currency: Currency,
  height: number,
): Promise<string[]> {
  const rows = await tx<{ txid: string }[]>`
    select encode(txid, 'hex') as txid from transactions where currency = ${currency} and block_height > ${height}`;
  return rows.map(({ txid }) => txid);
}

/** Queues invoices whose payment is void because of a transaction in a disconnected block: that conflict is open again. */
async function queueConflicting(tx: TransactionSql, currency: Currency, height: number): Promise<void> {
  await tx`
    insert into due_decisions (currency, invoice_id)
    select distinct t.currency, p.invoice_id
    from transactions t
    join transaction_inputs mine on mine.currency = t.currency and mine.txid = t.txid
    join transaction_inputs theirs on theirs.currency = mine.currency
      and theirs.spent_txid = mine.spent_txid and theirs.spent_vout = mine.spent_vout and theirs.txid <> mine.txid
    join payments p on p.currency = theirs.currency and p.txid = theirs.txid
    where t.currency = ${currency} and t.block_height > ${height} and p.invoice_id is not null
    ${onConflictLockQueued(tx)}`;
}
