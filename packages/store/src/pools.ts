import type { TransactionSql } from './database.ts';

/**
 * Ends the leases of invoices that have reached their outcome. An address that ever received anything is retired for
 * good; one that never did is free again and waits out its quarantine. Safe to repeat: a lease ends once.
 */
export async function releaseLeases(tx: TransactionSql, invoiceIds: readonly bigint[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx`
    with released as (
      update address_leases set released_at = now()
      where invoice_id = any(${tx.array([...invoiceIds])}::bigint[]) and released_at is null
      returning currency, script, pool_id, address_index
    )
    update pool_addresses a
    set
      state = case when paid.ever then 'retired' else 'free' end,
      released_at = case when paid.ever then null else now() end
    from released r
    cross join lateral (
      -- Through all holders of the script: what an earlier holder received retires the address, too.
      select exists (
        select from address_leases holder
        join payments p on p.invoice_id = holder.invoice_id and p.script = r.script
        where holder.script = r.script and holder.currency = r.currency
      ) as ever
    ) paid
    where a.pool_id = r.pool_id and a.address_index = r.address_index and a.state = 'leased'`;
}
