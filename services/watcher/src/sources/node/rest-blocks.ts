import { Pool } from 'undici';
import { z } from 'zod';
import { readBody } from './read-body.ts';

const TIMEOUT_MS = 60_000;
/** Above the largest block of either chain, with Litecoin's extension block. */
const MAX_BLOCK_BYTES = 32 * 1024 * 1024;

const chainInfo = z.object({ chain: z.string(), bestblockhash: z.string() });

/** Blocks as bytes, where a node serves Core's REST interface. */
export type RestBlocks = {
  /** Null where the node does not serve REST or not this block: the RPC will say why. Never rejects. */
  getBlock(hash: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
};

/**
 * Core's `/rest/block/<hash>.bin` (its option `-rest`), on the port of the RPC and without a password: half the bytes
 * of the RPC's hex, and nothing to decode. Whether it is served is asked once.
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
      // A node that was started again may have another configuration.
      isServed = null;
      return null;
    },
    close: () => pool.destroy(),
  };
}

/** Null where nobody answered: to be asked again. */
async function askIfServed(pool: Pool): Promise<boolean | null> {
  const answer = await get(pool, '/rest/chaininfo.json');
  return answer && answer.isOk && chainInfo.safeParse(parseJson(answer.bytes)).success;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Something else answers on this port: not REST.
    return null;
  }
}

async function get(pool: Pool, path: string): Promise<{ isOk: boolean; bytes: Buffer } | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { statusCode, body } = await pool.request({ path, method: 'GET', signal });
    return { isOk: statusCode === 200, bytes: await readBody(body, MAX_BLOCK_BYTES) };
  } catch {
    // The RPC is asked next, and tells what is wrong.
    return null;
  }
}
