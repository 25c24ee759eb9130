import { findEmbedSitesOfInvoice, findEmbedSitesOfLink } from '@paywatch/store/projects';
import type { Dependencies } from '../dependencies.ts';

/** The page of a payment link or an invoice, and the request's Sec-Fetch-Dest, which a browser may omit. */
type Requested = ({ readonly token: string } | { readonly publicId: string }) & {
  readonly destination: string | string[] | undefined;
};

/**
 * The origins whose pages may frame a page. None, without a statement, for a document that the browser shows in a tab of its own: most
 * payers open that one.
 */
export async function readEmbedSites({ store }: Dependencies, requested: Requested): Promise<string[]> {
  if (requested.destination === 'document') return [];
  if ('token' in requested) return findEmbedSitesOfLink(store, requested.token);
  return findEmbedSitesOfInvoice(store, requested.publicId);
}
