import type { AnySql, TransactionSql } from '../postgres/database.ts';

/** The link that a buyer uses, by the token that the buyer gave. */
export type LinkInUse = { linkId: bigint; token: string };

/** Why a link sells nothing now. */
export type PieceRefusal = 'payment_link_closed' | 'sold_out';

/**
 * Locks a link until the transaction ends, and returns why it sells nothing; null if a piece is left. The counting is a statement of its
 * own behind the lock, so it sees every purchase that was committed before: no piece is sold twice.
 */
export async function lockPiece(
  tx: TransactionSql,
  { linkId, token }: LinkInUse,
): Promise<PieceRefusal | null> {
  const [link] = await tx<{ capacity: number | null; isClosed: boolean }[]>`
    select case when single_use then 1 else stock end as capacity,
      disabled or coalesce(expires_at <= now(), false) as "isClosed"
    from payment_links where id = ${linkId} and token = ${token} for update`;
  if (link === undefined || link.isClosed) return 'payment_link_closed';
  if (link.capacity === null) return null;
  await returnPieces(tx, linkId);
  return (await countHeld(tx, linkId, link.capacity)) < link.capacity ? null : 'sold_out';
}

/** Gives the locked piece to an invoice; call it in the transaction of its creation. */
export async function holdPiece(tx: TransactionSql, linkId: bigint, invoiceId: bigint): Promise<void> {
  await tx`insert into payment_link_sales (invoice_id, payment_link_id) values (${invoiceId}, ${linkId})`;
}

/**
 * Takes the pieces of unpaid expired invoices back for good: a payment that comes later finds the piece perhaps sold, and is
 * reported as late. Runs only when somebody buys; until then a late payment keeps its piece.
 */
async function returnPieces(tx: TransactionSql, linkId: bigint): Promise<void> {
  await tx`
    update payment_link_sales s set returned = true from invoices i
    where i.id = s.invoice_id and s.payment_link_id = ${linkId} and not s.returned and i.status = 'expired'`;
}

async function countHeld(tx: TransactionSql, linkId: bigint, capacity: number): Promise<number> {
  const [held] = await tx<{ count: number }[]>`
    select count(*)::int as count from (
      select from payment_link_sales where payment_link_id = ${linkId} and not returned limit ${capacity}) enough`;
  return held?.count ?? 0;
}

/** The public id of the open invoice of a single-use link; null if there is none. */
export async function findOpenSale({ sql }: { sql: AnySql }, linkId: bigint): Promise<string | null> {
  const [open] = await sql<{ publicId: string }[]>`
    select i.public_id as "publicId" from payment_link_sales s join invoices i on i.id = s.invoice_id
    where s.payment_link_id = ${linkId} and not s.returned and i.status in ('new', 'pending')
    limit 1`;
  return open?.publicId ?? null;
}
