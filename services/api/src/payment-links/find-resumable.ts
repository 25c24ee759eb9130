import { findOpenSale, type PublicPaymentLink } from '@paywatch/store/payment-links';
import type { Dependencies } from '../dependencies.ts';

/** The public id of the open invoice of a single-use link, which every buyer gets; null for other links, or without one. */
export async function findResumable(
  { store }: Pick<Dependencies, 'store'>,
  link: PublicPaymentLink,
): Promise<string | null> {
  if (!link.isSingleUse || link.isDisabled || link.isExpired) return null;
  return findOpenSale(store, link.id);
}
