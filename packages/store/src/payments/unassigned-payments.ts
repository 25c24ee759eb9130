import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';

/** A payment to an address of a project's pool that belongs to no invoice. */
export type UnassignedPayment = {
  /** Position for keyset pagination; grows with the order of recording. */
  id: bigint;
  currency: Currency;
  txid: string;
  vout: number;
  address: string;
  addressIndex: number;
  /** Minimal units. */
  amount: bigint;
  firstSeenAt: Date;
  blockHeight: number | null;
  blockHash: string | null;
  isVoid: boolean;
  /** By our current best chain; 0 outside of it. */
  confirmations: number;
};

/**
 * Payments without an invoice to pools that the project owns, newest first, at most `limit`, only those before position
 * `before` if it is given. Reads the newest of each pool: a plain join may be planned over all payments.
 */
export async function listUnassignedPayments(
  { sql }: { sql: AnySql },
  projectId: bigint,
  { limit, before = null }: { limit: number; before?: bigint | null | undefined },
): Promise<UnassignedPayment[]> {
  return sql<UnassignedPayment[]>`
    select p.id, p.currency, encode(p.txid, 'hex') as txid, p.vout, a.address, a.address_index as "addressIndex", p.amount,
      p.first_seen_at as "firstSeenAt", t.block_height as "blockHeight", encode(t.block_hash, 'hex') as "blockHash",
      t.state = 'void' as "isVoid", greatest(0, coalesce(c.tip_height - t.block_height + 1, 0)) as confirmations
    from pools o
    cross join lateral (
      select * from payments
      where pool_id = o.id and invoice_id is null and (${before}::bigint is null or id < ${before}::bigint)
      order by id desc limit ${limit}) p
    cross join lateral (
      select block_height, block_hash, state from transactions
      where currency = p.currency and txid = p.txid offset 0) t
    cross join lateral (
      select address, address_index from pool_addresses
      where script = p.script and pool_id = p.pool_id offset 0) a
    left join chains c on c.currency = p.currency
    where o.owner_project_id = ${projectId}
    order by p.id desc limit ${limit}`;
}

/** The position of a payment in the list, to pass as `before` of the next page; null if the project has no such payment. */
export async function findUnassignedPosition(
  { sql }: { sql: AnySql },
  projectId: bigint,
  { txid, vout }: { txid: string; vout: number },
): Promise<bigint | null> {
  const [row] = await sql<{ id: bigint }[]>`
    select p.id
    from unnest(array['BTC', 'LTC']) currency
    cross join lateral (
      select id, script from payments
      where payments.currency = currency and txid = decode(${txid}, 'hex') and vout = ${vout} offset 0) p
    where exists (
      select from pool_addresses a join pools o on o.id = a.pool_id
      where a.script = p.script and o.owner_project_id = ${projectId})`;
  return row?.id ?? null;
}
