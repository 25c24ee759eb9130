import { parseBlockHeader, type BlockPlace } from '@paywatch/domain/chain';
import { z } from 'zod';
import { InvalidSourceDataError, type SourceHeader } from '../chain-source.ts';
import { bytesOfHash } from '../node/display-hash.ts';
import { ESPLORA_REQUESTS_AT_ONCE, type EsploraClient } from './esplora-client.ts';
import { fetchEach } from '../fetch-each.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const uint32 = z.number().int().min(0).max(0xffffffff);

const blockSummary = z.object({
  id: hash,
  height: z.number().int().nonnegative(),
  version: z.number().int(),
  timestamp: uint32,
  bits: uint32,
  nonce: uint32,
  merkle_root: hash,
  // Absent or null for the genesis block.
  previousblockhash: hash.nullish(),
});
type BlockSummary = z.infer<typeof blockSummary>;

const ZERO_HASH = '0'.repeat(64);
/** A few megabytes. A dropped header costs one more request. */
const KEPT_HEADERS = 10_000;

/** Servers return ten to fifteen blocks in a page. */
const LEAST_PAGE = 10;

/** Headers of an Esplora server by hash. */
export type EsploraHeaders = {
  get(blockHash: string): Promise<SourceHeader>;
  /**
   * The header at this position of the best chain and up to `count - 1` below it, newest first; fetches several pages at once.
   */
  getDown(top: BlockPlace, count: number): Promise<SourceHeader[]>;
};

/**
 * Reads headers and caches them, since the header of a hash never changes. A walk down a chain asks for parent after parent, so
 * the first request fetches a page (`/blocks/:height`, ten to fifteen blocks).
 */
export function esploraHeaders(client: EsploraClient): EsploraHeaders {
  const known = new Map<string, SourceHeader>();
  const heightOfParent = new Map<string, number>();
  const remember = (summary: BlockSummary): void => {
    const header = checked(client, summary);
    known.set(header.hash, header);
    heightOfParent.set(header.prevHash, header.height - 1);
    forgetOldest(known);
    forgetOldest(heightOfParent);
  };
  const readPage = async (height: number): Promise<void> => {
    const page = await client.getJson(`/blocks/${height}`, z.array(blockSummary));
    page.forEach(remember);
  };
  return {
    getDown: async (top, count) => {
      const pages = Array.from(
        { length: Math.ceil(count / LEAST_PAGE) },
        (_, i) => top.height - i * LEAST_PAGE,
      );
      await fetchEach(
        pages.filter((height) => height >= 0),
        ESPLORA_REQUESTS_AT_ONCE,
        readPage,
      );
      const headers: SourceHeader[] = [];
      for (let next = known.get(top.hash); next && headers.length < count; next = known.get(next.prevHash))
        headers.push(next);
      return headers;
    },
    get: async (blockHash) => {
      const height = known.has(blockHash) ? undefined : heightOfParent.get(blockHash);
      if (height !== undefined && height >= 0) await readPage(height);
      // The page shows the server's best chain; a block that left it must be requested by its hash.
      if (!known.has(blockHash)) remember(await client.getJson(`/block/${blockHash}`, blockSummary));
      const header = known.get(blockHash);
      if (!header) throw client.failure(`asked for block ${blockHash}, got another one`);
      return header;
    },
  };
}

/** Throws InvalidSourceDataError if the fields do not hash to the name. */
function checked(client: EsploraClient, summary: BlockSummary): SourceHeader {
  const prevHash = summary.previousblockhash ?? ZERO_HASH;
  const raw = Buffer.alloc(80);
  raw.writeInt32LE(summary.version | 0, 0);
  raw.set(bytesOfHash(prevHash), 4);
  raw.set(bytesOfHash(summary.merkle_root), 36);
  raw.writeUInt32LE(summary.timestamp, 68);
  raw.writeUInt32LE(summary.bits, 72);
  raw.writeUInt32LE(summary.nonce, 76);
  if (parseBlockHeader(raw).hash !== summary.id)
    throw new InvalidSourceDataError(client.name, `the header of block ${summary.id} does not hash to it`);
  return { height: summary.height, hash: summary.id, prevHash, timeMs: summary.timestamp * 1000, raw };
}

function forgetOldest(entries: Map<string, unknown>): void {
  const oldest = entries.keys().next();
  if (entries.size > KEPT_HEADERS && !oldest.done) entries.delete(oldest.value);
}
