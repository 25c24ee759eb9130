import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import type { AnySql, TransactionSql } from '../postgres/database.ts';

/** A conflict this deep is final: the transaction that lost it never counts again. */
const FINAL_DEPTH = 6;

/**
 * Returns retired addresses whose payments are all void, once the last conflicting transaction is six blocks deep: otherwise
 * one replaceable transaction could use up a donation link. They go into quarantine as after an expired invoice; one that was
 * never leased goes to the pool's owner. Runs in the transaction that moves the tip, and reads only the conflicts that become
 * six blocks deep by it.
 */
export async function returnUnpaidAddresses(
  tx: TransactionSql,
  currency: Currency,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await tx`
    with conflict as materialized (
      select txid from transactions
      where currency = ${currency} and state = 'block'
        and block_height > ${from + 1 - FINAL_DEPTH} and block_height <= ${to + 1 - FINAL_DEPTH}
    ), candidate as materialized (
      select distinct p.script
      from conflict c
      cross join lateral (
        select spent_txid, spent_vout from transaction_inputs
        where currency = ${currency} and txid = c.txid offset 0) mine
      cross join lateral (
        select txid from transaction_inputs
        where currency = ${currency} and spent_txid = mine.spent_txid and spent_vout = mine.spent_vout
          and txid <> c.txid offset 0) theirs
      cross join lateral (
        select script from payments where currency = ${currency} and txid = theirs.txid offset 0) p
    )
    update pool_addresses a set
      state = 'free', released_at = now(), last_project_id = coalesce(a.last_project_id, p.owner_project_id)
    from candidate c, pools p
    where a.script = c.script and a.state = 'retired' and not a.has_history and p.id = a.pool_id
      and p.currency = ${currency} and coalesce(a.last_project_id, p.owner_project_id) is not null and a.address_index >= p.start_index
      and not exists (
        select from address_leases l where l.script = a.script and l.currency = p.currency and l.released_at is null)
      and not ${isPaid(tx, { currency: tx`p.currency`, script: tx`a.script`, tipHeight: tx`${to}::int` })}`;
}

/** A script of a currency at a tip height, as SQL. */
type PaidScript = { currency: Fragment; script: Fragment; tipHeight: Fragment };

/** Whether a script has a payment, with or without an invoice, that is not void for good. */
export function isPaid(sql: AnySql, { currency, script, tipHeight }: PaidScript): Fragment {
  return sql`exists (
    select from (
      select payment.txid from address_leases holder
      join payments payment on payment.invoice_id = holder.invoice_id and payment.script = ${script}
      where holder.script = ${script} and holder.currency = ${currency}
      union all
      select payment.txid from payments payment
      where payment.script = ${script} and payment.currency = ${currency} and payment.invoice_id is null
    ) paid
    where not exists (
      select from transactions t
      join transaction_inputs mine on mine.currency = t.currency and mine.txid = t.txid
      join transaction_inputs theirs on theirs.currency = mine.currency and theirs.spent_txid = mine.spent_txid
        and theirs.spent_vout = mine.spent_vout and theirs.txid <> mine.txid
      join transactions winner on winner.currency = theirs.currency and winner.txid = theirs.txid
      where t.currency = ${currency} and t.txid = paid.txid and t.state = 'void'
        and winner.state = 'block' and winner.block_height <= ${tipHeight} + 1 - ${FINAL_DEPTH}::int
    )
  )`;
}
