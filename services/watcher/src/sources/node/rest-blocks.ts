import { Pool } from 'undici';
import { z } from 'zod';
import { readBody } from './read-body.ts';

const TIMEOUT_MS = 60_000;
/** Larger than the largest block of either chain, with Litecoin's extension block. */
const MAX_BLOCK_BYTES = 32 * 1024 * 1024;

const chainInfo = z.object({ chain: z.string(), bestblockhash: z.string() });

/** Blocks as bytes, if a node serves Core's REST interface. */
export type RestBlocks = {
  /** Null if the node does not serve REST or this block; the RPC will report why. Never rejects. */
  getBlock(hash: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
};

/**
 * Core's `/rest/block/<hash>.bin` (option `-rest`) on the RPC port, without a password: half the bytes of the RPC's hex, and no
 * decoding. Whether REST is served is checked once.
 */
export function createRestBlocks(nodeUrl: string): RestBlocks {
  const pool = new Pool(new URL(nodeUrl).origin, { connections: 2 });
  let isServed: boolean | null = null;
  return {
    getBlock: async (hash) => {
      isServed ??= await askIfServed(pool);
      if (!isServed) return null;
      const answer = await get(pool, `/rest/block/${hash}.bin`);
      if (answer?.isOk) return answer.bytes;
      // A restarted node may have another configuration.
      isServed = null;
      return null;
    },
    close: () => pool.destroy(),
  };
}

/** Null if there was no response: check again next time. */
async function askIfServed(pool: Pool): Promise<boolean | null> {
  const answer = await get(pool, '/rest/chaininfo.json');
  return answer && answer.isOk && chainInfo.safeParse(parseJson(answer.bytes)).success;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Something other than REST responds on this port.
    return null;
  }
}

async function get(pool: Pool, path: string): Promise<{ isOk: boolean; bytes: Buffer } | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { statusCode, body } = await pool.request({ path, method: 'GET', signal });
    return { isOk: statusCode === 200, bytes: await readBody(body, MAX_BLOCK_BYTES) };
  } catch {
    // The RPC call that follows reports the error.
    return null;
  }
}
