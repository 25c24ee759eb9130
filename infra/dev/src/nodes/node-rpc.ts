import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { HANG_TIMEOUT_MS } from '../testing/wait-until.ts';

/** Whose dialect of the RPC a node speaks. */
export type NodeKind = 'bitcoin-core' | 'litecoin-core' | 'bcoin';

/** A transaction as far as a payer needs it; amounts in minimal units. */
export type NodeTransaction = {
  txid: string;
  spends: { txid: string; vout: number }[];
  outputs: { vout: number; amount: bigint; scriptHex: string }[];
  isCoinbase: boolean;
};

/** A block of the best chain or beside it. */
type NodeBlock = { hash: string; height: number; transactions: NodeTransaction[] };

/** One call of a batch. */
type RpcCall = { method: string; params?: readonly unknown[] };

/** The calls that the development stack makes to a node, the same for all three kinds. Errors are {@link NodeRpcError}. */
export type NodeRpc = {
  kind: NodeKind;
  call(method: string, ...params: unknown[]): Promise<unknown>;
  /** Answers in the order of the calls; throws the first error among them. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
  getBlockCount(): Promise<number>;
  getBestBlockHash(): Promise<string>;
  /** The hashes of the best chain between two heights, both included. */
  getBlockHashes(fromHeight: number, toHeight: number): Promise<string[]>;
  getBlocks(hashes: readonly string[]): Promise<NodeBlock[]>;
  getMempool(): Promise<string[]>;
  /** Transactions of the mempool; no node here has an index of others. */
  getMempoolTransactions(txids: readonly string[]): Promise<NodeTransaction[]>;
  /**
   * Returns only once the mempool holds it, and throws the node's reason where it refuses. `onAccepted` is called with the node's
   * first answer.
   */
  sendRawTransaction(rawHex: string, onAccepted?: () => void): Promise<string>;
  /** Mines blocks with all that the mempool offers. */
  generateToAddress(count: number, address: string): Promise<string[]>;
  /** Mines one block with exactly these transactions of the mempool, parents first. */
  generateBlock(address: string, txids: readonly string[]): Promise<string>;
  invalidateBlock(hash: string): Promise<void>;
  /** Sets the node's clock; null gives it back the real one. */
  setMockTime(epochSeconds: number | null): Promise<void>;
};

/** A node's refusal: its code, its message, and what was asked. */
export class NodeRpcError extends Error {
  code: number;
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.name = 'NodeRpcError';
    this.code = code;
  }
}

/** A client for one node; `url` carries user and password. Opens nothing until it is called. */
export function createNodeRpc({ url, kind }: { url: string; kind: NodeKind }): NodeRpc {
  const batch = (calls: readonly RpcCall[]) => sendBatch(url, calls);
  const call = async (method: string, ...params: unknown[]) => (await batch([{ method, params }]))[0];
  return {
    kind,
    call,
    batch,
    getBlockCount: async () => z.number().parse(await call('getblockcount')),
    getBestBlockHash: async () => z.string().parse(await call('getbestblockhash')),
    getBlockHashes: async (fromHeight, toHeight) => {
      const heights = Array.from(
        { length: Math.max(0, toHeight - fromHeight + 1) },
        (_, i) => fromHeight + i,
      );
      return z
        .array(z.string())
        .parse(await batch(heights.map((height) => ({ method: 'getblockhash', params: [height] }))));
    },
    getBlocks: async (hashes) => {
      // bcoin takes "verbose" and "with transactions" as two booleans, Core as one number.
      const verbosity = kind === 'bcoin' ? [true, true] : [2];
      const blocks = await batch(
        hashes.map((hash) => ({ method: 'getblock', params: [hash, ...verbosity] })),
      );
      return blocks.map((block) => blockShape.parse(block));
    },
    getMempool: async () => z.array(z.string()).parse(await call('getrawmempool')),
    getMempoolTransactions: async (txids) => {
      const calls = txids.map((txid) => ({ method: 'getrawtransaction', params: [txid, true] }));
      return (await batch(calls)).map((transaction) => transactionShape.parse(transaction));
    },
    sendRawTransaction: async (rawHex, onAccepted) => {
      // Core refuses fees that look like mistakes unless the limit is lifted; bcoin has no such limit.
      const feeLimit = kind === 'bcoin' ? [] : [0];
      const txid = z.string().parse(await call('sendrawtransaction', rawHex, ...feeLimit));
      onAccepted?.();
      await call('getmempoolentry', txid);
      return txid;
    },
    generateToAddress: async (count, address) =>
      z.array(z.string()).parse(await call('generatetoaddress', count, address)),
    generateBlock: (address, txids) =>
      kind === 'litecoin-core'
        ? generateByPriority({ call, batch }, address, txids)
        : generateExactly({ call }, address, txids),
    invalidateBlock: async (hash) => void (await call('invalidateblock', hash)),
    setMockTime: async (epochSeconds) => {
      const real = kind === 'bcoin' ? Math.floor(Date.now() / 1000) : 0;
      await call('setmocktime', epochSeconds ?? real);
    },
  };
}

async function generateExactly(
  { call }: Pick<NodeRpc, 'call'>,
  address: string,
  txids: readonly string[],
): Promise<string> {
  return z.object({ hash: z.string() }).parse(await call('generateblock', address, txids)).hash;
}

/**
 * Litecoin Core's generateblock forgets the HogEx and fails once MWEB is active. So the others are priced out of the block by a
 * fee delta, mined past, and given their price back.
 */
async function generateByPriority(
  { call, batch }: Pick<NodeRpc, 'call' | 'batch'>,
  address: string,
  txids: readonly string[],
): Promise<string> {
  const mempool = z.array(z.string()).parse(await call('getrawmempool'));
  const others = mempool.filter((txid) => !txids.includes(txid));
  const price = (delta: number) =>
    batch(others.map((txid) => ({ method: 'prioritisetransaction', params: [txid, null, delta] })));
  const priceOut = 10 ** 12;
  await price(-priceOut);
  try {
    const [hash] = z.tuple([z.string()]).parse(await call('generatetoaddress', 1, address));
    const left = z.array(z.string()).parse(await call('getrawmempool'));
    const missed = txids.find((txid) => left.includes(txid));
    if (missed !== undefined) throw new Error(`${missed} was not mined: one of its parents was left out`);
    return hash;
  } finally {
    await price(priceOut);
  }
}

const coinsToMinimalUnits = z.number().transform((coins) => BigInt(Math.round(coins * 1e8)));

const transactionShape = z
  .object({
    txid: z.string(),
    vin: z.array(
      z.object({ coinbase: z.string().optional(), txid: z.string().optional(), vout: z.number().optional() }),
    ),
    vout: z.array(
      z.object({
        n: z.number().optional(),
        value: coinsToMinimalUnits.optional(),
        scriptPubKey: z.object({ hex: z.string() }).optional(),
      }),
    ),
  })
  .transform(({ txid, vin, vout }): NodeTransaction => ({
    txid,
    isCoinbase: vin.some((input) => input.coinbase !== undefined),
    // Inputs and outputs without these fields are MWEB's: invisible to a payer of ordinary coins.
    spends: vin.flatMap((input) =>
      input.coinbase === undefined && input.txid !== undefined && input.vout !== undefined
        ? [{ txid: input.txid, vout: input.vout }]
        : [],
    ),
    outputs: vout.flatMap((output) =>
      output.n !== undefined && output.value !== undefined && output.scriptPubKey !== undefined
        ? [{ vout: output.n, amount: output.value, scriptHex: output.scriptPubKey.hex }]
        : [],
    ),
  }));

const blockShape = z
  .object({ hash: z.string(), height: z.number(), tx: z.array(transactionShape) })
  .transform(({ hash, height, tx }): NodeBlock => ({ hash, height, transactions: tx }));

const answerShape = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
  id: z.number(),
});

/** At most this many calls travel together: Core's work queue and bcoin's body limit both end somewhere. */
const callsPerRequest = 200;

async function sendBatch(url: string, calls: readonly RpcCall[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let start = 0; start < calls.length; start += callsPerRequest) {
    results.push(...(await sendRequest(url, calls.slice(start, start + callsPerRequest))));
  }
  return results;
}

/** No connection is kept: an open one holds up the end of a Core node by seconds. */
const dispatcher = new Agent({ pipelining: 0 });

/** A node whose queue is full has done nothing of what it was asked. */
const TRY_AGAIN_MS = 100;

async function sendRequest(url: string, calls: readonly RpcCall[]): Promise<unknown[]> {
  const signal = AbortSignal.timeout(HANG_TIMEOUT_MS);
  let response = await post(url, calls, signal);
  while (response.statusCode === 503) {
    await response.body.dump();
    await sleep(TRY_AGAIN_MS, undefined, { signal });
    response = await post(url, calls, signal);
  }
  if (response.statusCode === 401) throw new Error('the node refuses this user and password');
  // Errors are read from the body, whatever the status: bcoin answers 200 with an error in it, Core 500.
  const answers = z.array(answerShape).parse(await response.body.json());
  return calls.map(({ method }, id) => {
    const answer = answers.find((candidate) => candidate.id === id);
    if (answer === undefined) throw new NodeRpcError(method, -32603, 'no answer');
    if (answer.error) throw new NodeRpcError(method, answer.error.code, answer.error.message);
    return answer.result;
  });
}

function post(url: string, calls: readonly RpcCall[], signal: AbortSignal) {
  const { origin, pathname, username, password } = new URL(url);
  return request(new URL(pathname, origin), {
    method: 'POST',
    dispatcher,
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
    },
    body: JSON.stringify(
      calls.map(({ method, params = [] }, id) => ({ jsonrpc: '1.0', id, method, params })),
    ),
    signal,
  });
}
