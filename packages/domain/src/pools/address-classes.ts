import type { InvoiceType } from '../contract/fields/primitives.ts';

/**
 * The class of an index determines who may lease its address: `orders`: orders of the pool's owner; `any`: its donations as
 * well; `guests`: other projects as well.
 */
export type AddressClass = 'orders' | 'any' | 'guests';

/** Who requests an address: the invoice type, and whether the project was the first to verify the key. */
export type Lessee = { invoiceType: InvoiceType; isOwner: boolean };

/**
 * Returns the class of an index.
 *
 * Donations may hold at most half of a pool, and later projects of a shared pool at most a tenth. A counter would be locked by
 * every lease and would drift when Redis is lost. So the index alone decides: odd indexes serve orders only, every tenth index
 * guests as well, and no sequence of leases can exceed a limit. Multiples of ten are even, so a guest's donations are within
 * both limits. Among the indexes 1 to n there are at most n/2 even ones and n/10 multiples of ten.
 */
export function classOf(index: number): AddressClass {
  if (index % 10 === 0) return 'guests';
  return index % 2 === 0 ? 'any' : 'orders';
}

/**
 * The classes that a lessee may lease, best first: each prefers what the fewest others may lease, so that an owner's orders
 * leave the even indexes to donations, and both leave the multiples of ten to guests.
 */
export function classesFor({ invoiceType, isOwner }: Lessee): readonly AddressClass[] {
  if (!isOwner) return ['guests'];
  return invoiceType === 'order' ? ['orders', 'any', 'guests'] : ['any', 'guests'];
}

/** Whether the address at an index may be leased; never true for index 0, the verification address. */
export function mayLease({ index, ...lessee }: Lessee & { index: number }): boolean {
  return index > 0 && classesFor(lessee).includes(classOf(index));
}

/** What limits the indexes of a pool. `lastUsedIndex` is null while no best-chain block pays any of them. */
export type PoolWindow = { startIndex: number; lastUsedIndex: number | null; gapLimit: number };

/**
 * The highest index that may be leased: one gap limit past the last used index, because the merchant's own wallet does not look
 * further (BIP 44). Indexes below `startIndex` count as used by the merchant's setting.
 */
export function highestLeasableIndex({ startIndex, lastUsedIndex, gapLimit }: PoolWindow): number {
  return Math.max(lastUsedIndex ?? -1, startIndex - 1) + gapLimit;
}
