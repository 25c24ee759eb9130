import { doubleSha256 } from '@paywatch/domain';
import { z } from 'zod';
import type { SourceHeader } from './chain-source.ts';
import { bytesOfHash, displayHex } from './display-hash.ts';
import type { EsploraClient } from './esplora-client.ts';

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
  // Absent or null below the first block.
  previousblockhash: hash.nullish(),
});
type BlockSummary = z.infer<typeof blockSummary>;

const ZERO_HASH = '0'.repeat(64);
/** A few megabytes. What is forgotten costs one more request. */
const KEPT_HEADERS = 10_000;

/** Headers of an Esplora server by hash. */
export type EsploraHeaders = { get(blockHash: string): Promise<SourceHeader> };

/**
 * Reads headers and remembers them: what a hash names never changes. Who walks down a chain asks for the parent of what
 * he just got; it is fetched as a page (`/blocks/:height`, ten to fifteen blocks), since the next question is for its parent.
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
  return {
    get: async (blockHash) => {
      const height = known.has(blockHash) ? undefined : heightOfParent.get(blockHash);
      if (height !== undefined && height >= 0) {
        const page = await client.getJson(`/blocks/${height}`, z.array(blockSummary));
        page.forEach(remember);
      }
      // The page shows the server's best chain: a block that left it has to be asked for by name.
      if (!known.has(blockHash)) remember(await client.getJson(`/block/${blockHash}`, blockSummary));
      const header = known.get(blockHash);
      if (!header) throw client.failure(`asked for block ${blockHash}, got another one`);
      return header;
    },
  };
}

/** A header whose fields do not make its hash is somebody's invention. */
function checked(client: EsploraClient, summary: BlockSummary): SourceHeader {
  const prevHash = summary.previousblockhash ?? ZERO_HASH;
  const bytes = Buffer.alloc(80);
  bytes.writeInt32LE(summary.version | 0, 0);
  bytes.set(bytesOfHash(prevHash), 4);
  bytes.set(bytesOfHash(summary.merkle_root), 36);
  bytes.writeUInt32LE(summary.timestamp, 68);
  bytes.writeUInt32LE(summary.bits, 72);
  bytes.writeUInt32LE(summary.nonce, 76);
  if (displayHex(doubleSha256(bytes)) !== summary.id)
    throw client.failure(`the header of block ${summary.id} is not its own`);
  return { height: summary.height, hash: summary.id, prevHash, timeMs: summary.timestamp * 1000 };
}

function forgetOldest(entries: Map<string, unknown>): void {
  const oldest = entries.keys().next();
  if (entries.size > KEPT_HEADERS && !oldest.done) entries.delete(oldest.value);
}
