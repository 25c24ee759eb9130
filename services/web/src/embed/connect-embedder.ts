import { pageRoot } from '../ui/page-data.ts';
import type { Embedder } from './embedder.ts';

/** The page that frames this document, with the code that talks to it; null in a tab of its own. */
export async function connectEmbedder(): Promise<Embedder | null> {
  const { sites } = pageRoot().dataset;
  if (sites === undefined || parent === window) return null;
  // If the chunk fails to load, the payer pays all the same; the webhook informs the shop.
  const loaded = await import('./embedder.ts').catch(() => null);
  return loaded && loaded.openEmbedder(sites.split(' '));
}
