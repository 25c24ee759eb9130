import type { InvoiceType } from '../contract/primitives.ts';

/**
 * The class of an index says who may ever hold its address:
 * `orders`: orders of the project that owns the pool; `any`: its donations too; `guests`: other projects too.
 */
export type AddressClass = 'orders' | 'any' | 'guests';

/** Who asks for an address: for what type of invoice, and whether its project was the first to register the key. */
export type Lessee = { invoiceType: InvoiceType; isOwner: boolean };

/**
 * The class of an index.
 *
 * Donations may hold at most half of a pool, and projects that came later to a shared one at most a tenth. Counting
 * leases would need a number that every lease locks, and that drifts when Redis is lost. So each address carries its
 * class from birth: odd indexes are for orders alone, every tenth for guests too, and no sequence of leases exceeds a
 * cap. Tenths are even, so a guest's donations are within both caps. Among the indexes 1 to n there are never more than
 * n/2 even ones and n/10 tenths, whatever n is.
 */
export function classOf(index: number): AddressClass {
  if (index % 10 === 0) return 'guests';
  return index % 2 === 0 ? 'any' : 'orders';
}

/**
 * The classes that a lessee may hold, best first: each takes what fewest others can take, so that an owner's orders
 * leave the even indexes to its donations, and both leave the tenths to guests.
 */
export function classesFor({ invoiceType, isOwner }: Lessee): readonly AddressClass[] {
  if (!isOwner) return ['guests'];
  return invoiceType === 'order' ? ['orders', 'any', 'guests'] : ['any', 'guests'];
}

/** Whether the address at an index may be leased; index 0 is the verification address and never is. */
export function mayLease({ index, ...lessee }: Lessee & { index: number }): boolean {
  return index > 0 && classesFor(lessee).includes(classOf(index));
}

/** What bounds the indexes of a pool. `lastUsedIndex` is null while no output in a best-chain block pays any. */
export type PoolWindow = { startIndex: number; lastUsedIndex: number | null; gapLimit: number };

/**
 * The highest index that may be handed out: one gap limit past the last used index, for beyond that the merchant's own
 * wallet does not look (BIP 44). What lies below `startIndex` counts as used, because the merchant said so.
 */
export function highestLeasableIndex({ startIndex, lastUsedIndex, gapLimit }: PoolWindow): number {
  return Math.max(lastUsedIndex ?? -1, startIndex - 1) + gapLimit;
}
