import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { HANG_TIMEOUT_MS } from '../testing/wait-until.ts';

/** The RPC dialect of a node. */
export type NodeKind = 'bitcoin-core' | 'litecoin-core' | 'bcoin';

/** The parts of a transaction that a payer needs; amounts in minimal units. */
export type NodeTransaction = {
  txid: string;
  spends: { txid: string; vout: number }[];
  outputs: { vout: number; amount: bigint; scriptHex: string }[];
  isCoinbase: boolean;
};

/** A block, on the best chain or on another branch. */
type NodeBlock = { hash: string; height: number; transactions: NodeTransaction[] };

/** One call in a batch. */
type RpcCall = { method: string; params?: readonly unknown[] };

/** The RPC calls of the development stack, the same for all three kinds of node. They throw {@link NodeRpcError}. */
export type NodeRpc = {
  kind: NodeKind;
  call(method: string, ...params: unknown[]): Promise<unknown>;
  /** Returns the results in the order of the calls; throws the first error. */
  batch(calls: readonly RpcCall[]): Promise<unknown[]>;
  getBlockCount(): Promise<number>;
  getBestBlockHash(): Promise<string>;
  /** Hashes of the best chain between two heights, inclusive. */
  getBlockHashes(fromHeight: number, toHeight: number): Promise<string[]>;
  getBlocks(hashes: readonly string[]): Promise<NodeBlock[]>;
  getMempool(): Promise<string[]>;
  /** Loads mempool transactions; the nodes have no index of others. */
  getMempoolTransactions(txids: readonly string[]): Promise<NodeTransaction[]>;
  /**
   * Resolves when the mempool contains the transaction; throws the node's reason if it is rejected. Calls `onAccepted` when the node
   * accepts it.
   */
  sendRawTransaction(rawHex: string, onAccepted?: () => void): Promise<string>;
  /** Mines blocks with the content of the mempool. */
  generateToAddress(count: number, address: string): Promise<string[]>;
  /** Mines one block with exactly these mempool transactions, parents first. */
  generateBlock(address: string, txids: readonly string[]): Promise<string>;
  invalidateBlock(hash: string): Promise<void>;
  /** Sets the node's clock; null resets it to the real time. */
  setMockTime(epochSeconds: number | null): Promise<void>;
};

/** An error of a node: method, code and message. */
export class NodeRpcError extends Error {
  code: number;
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.name = 'NodeRpcError';
    this.code = code;
  }
}

/** Creates a client for one node. `url` contains user and password. It connects on the first call. */
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
      // bcoin has two booleans, "verbose" and "with transactions"; Core has one number.
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
      // 0 disables Core's limit for high fees; bcoin has no such limit.
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
 * With MWEB active, Litecoin Core's generateblock omits the HogEx and fails. Instead, a negative fee delta keeps all other
 * transactions out of the mined block, and is reverted afterwards.
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
    if (missed !== undefined) throw new Error(`${missed} was not mined: one of its parents was excluded`);
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
    // Inputs and outputs without these fields belong to MWEB, which a payer of ordinary coins ignores.
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

/** Calls per HTTP request: Core's work queue and bcoin's body size are limited. */
const callsPerRequest = 200;

async function sendBatch(url: string, calls: readonly RpcCall[]): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let start = 0; start < calls.length; start += callsPerRequest) {
    results.push(...(await sendRequest(url, calls.slice(start, start + callsPerRequest))));
  }
  return results;
}

/** Uses no keep-alive: an open connection delays the shutdown of a Core node by seconds. */
const dispatcher = new Agent({ pipelining: 0 });

/** Pause while the node's work queue is full: it has executed none of the calls. */
const TRY_AGAIN_MS = 100;

async function sendRequest(url: string, calls: readonly RpcCall[]): Promise<unknown[]> {
  const signal = AbortSignal.timeout(HANG_TIMEOUT_MS);
  let { status, text } = await post(url, calls, signal);
  while (isQueueFull(status, text)) {
    await sleep(TRY_AGAIN_MS, undefined, { signal });
    ({ status, text } = await post(url, calls, signal));
  }
  if (status === 401) throw new Error('the node rejects this user and password');
  // Errors are read from the body, whatever the status: bcoin sends them with 200, Core with 500.
  const answers = z.array(answerShape).parse(JSON.parse(text));
  return calls.map(({ method }, id) => {
    const answer = answers.find((candidate) => candidate.id === id);
    if (answer === undefined) throw new NodeRpcError(method, -32603, 'no response');
    if (answer.error) throw new NodeRpcError(method, answer.error.code, answer.error.message);
    return answer.result;
  });
}

/** Bitcoin Core responds with 503, Litecoin Core 0.21 with 500 and this text. */
function isQueueFull(status: number, text: string): boolean {
  return status === 503 || text.startsWith('Work queue depth exceeded');
}

async function post(
  url: string,
  calls: readonly RpcCall[],
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const { origin, pathname, username, password } = new URL(url);
  const { statusCode, body } = await request(new URL(pathname, origin), {
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
  return { status: statusCode, text: await body.text() };
}
