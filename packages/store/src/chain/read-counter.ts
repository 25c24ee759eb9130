import type { TransactionSql } from '../postgres/database.ts';

type Currency = 'BTC' | 'LTC';

/**
 * Every recorded batch of a chain (transactions of a mempool, or a block) has a number; a transaction keeps that of the batch
 * that recorded it first, and a lease the last one that its creation saw. What has a number up to the lease's is older.
 *
 * Why the comparison is exact, though a lease is written while a batch is:
 * - Batches of a chain come one after another (`lockChain`), and each writes its number in its own transaction. So a creation,
 *   which is one statement with one snapshot, sees number n exactly if it sees all that the batches up to n recorded.
 * - A batch and a creation meet at the row of the address. The batch locks the addresses that it pays and that are not leased,
 *   then reads the leases. Where a creation was first, the batch waits for its commit and sees its lease, whose number is
 *   below the batch's: the payment is the lease's. Where the batch was first, the creation passes over the address, or finds it
 *   retired when it looks at the row again. No lease begins unseen between the two.
 * - A transaction that was recorded for another output has its number, and is older for every address derived later.
 *
 * Creations read the row of the chain and lock nothing in it. A batch changes it last, so that whoever renews the lead hardly waits.
 */
export async function nextReadCounter(tx: TransactionSql, currency: Currency): Promise<bigint> {
  const [row] = await tx<{ next: bigint }[]>`
    select read_counter + 1 as next from chains where currency = ${currency}`;
  return row?.next ?? 1n;
}

/** Notes that the batch of this number is recorded. Under the lock of the chain, last of all statements. */
export async function advanceReadCounter(
  tx: TransactionSql,
  currency: Currency,
  readCounter: bigint,
): Promise<void> {
  await tx`
    update chains set read_counter = greatest(read_counter, ${readCounter}) where currency = ${currency}`;
}
