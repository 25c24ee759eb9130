import type { Currency } from '@paywatch/domain/values';
import type { TransactionSql } from '../postgres/database.ts';

/**
 * Every recorded batch of a chain (mempool transactions or a block) has a number. A transaction keeps the number of the batch
 * that recorded it first; a lease stores the last number that its creation saw. A transaction whose number is not above the
 * lease's is older than the lease.
 *
 * The comparison is exact although leases are created while batches are recorded:
 * - Batches of a chain run one after another (`lockChain`), and each writes its number in its own transaction. A creation is
 *   one statement with one snapshot, so it sees number n exactly if it sees everything that the batches up to n recorded.
 * - A batch and a creation meet at the row of the address. The batch locks the unleased addresses that it pays, then reads
 *   the leases. If the creation was first, the batch waits for its commit and sees its lease with a lower number: the payment
 *   belongs to the lease. If the batch was first, the creation skips the address, or finds it retired when it reads the
 *   locked row again. So no lease starts unseen between the two.
 * - A transaction that was recorded for another output keeps its number, so it is older than any lease created later.
 *
 * Creations read the row of the chain without locking it. A batch updates it last, so that renewing the leadership hardly
 * waits.
 */
export async function nextReadCounter(tx: TransactionSql, currency: Currency): Promise<bigint> {
  const [row] = await tx<{ next: bigint }[]>`
    select read_counter + 1 as next from chains where currency = ${currency}`;
  return row?.next ?? 1n;
}

/** Stores that the batch with this number is recorded. Under the lock of the chain, after all other statements. */
export async function advanceReadCounter(
  tx: TransactionSql,
  currency: Currency,
  readCounter: bigint,
): Promise<void> {
  await tx`
    update chains set read_counter = greatest(read_counter, ${readCounter}) where currency = ${currency}`;
}
