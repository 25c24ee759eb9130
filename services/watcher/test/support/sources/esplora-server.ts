import { NodeRpcError, type ChainNode, type NodeTransaction } from '@paywatch/dev/nodes';
import { scriptOf } from '@paywatch/dev/wallet';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { InventedBlock } from '../chains/invented-blocks.ts';

/** An Esplora server that shows the chain of a regtest node, and can be made to misbehave. */
export type EsploraServer = {
  /** Base of the API, as BTC_ESPLORA_URL and LTC_ESPLORA_URL want it. */
  url: string;
  /** Paths asked for, oldest first. */
  requests: string[];
  /** Shows this node's chain from now on. */
  show(node: ChainNode): void;
  /** Knows nothing above this height, and has an empty mempool; null: is up to date. */
  lagAt(height: number | null): void;
  /** Does not have the transaction, although its mempool list may contain it. */
  hide(txid: string, options?: { isListed?: boolean }): void;
  /** Serves blocks in which these are missing. */
  leaveOut(txid: string): void;
  /** Knows everything again, and leaves nothing out. */
  repent(): void;
  /** Claims that these blocks are on top of its chain; none: is honest again. */
  invent(blocks: readonly InventedBlock[]): void;
  /** Answers that many requests, and after them 429 until `limit(null)`. */
  limit(requests: number | null, retryAfterSeconds?: number): void;
  /** The response to every request; null: the real one. */
  answer(status: number | null): void;
  close(): Promise<void>;
};

type State = {
  node: ChainNode;
  lagsAt: number | null;
  hidden: Set<string>;
  unlisted: Set<string>;
  leftOut: Set<string>;
  invented: readonly InventedBlock[];
  left: number;
  retryAfterSeconds: number;
  status: number | null;
  /** What a hash names never changes. */
  summaries: Map<string, unknown>;
  /** The scripts that a block pays, by its hash. */
  scripts: Map<string, string[]>;
};

/** Blocks on one page of `/blocks/:height`. */
const PAGE = 10;
const hex = z.string();

export async function startEsploraServer(node: ChainNode): Promise<EsploraServer> {
  const state: State = {
    node,
    lagsAt: null,
    hidden: new Set(),
    unlisted: new Set(),
    leftOut: new Set(),
    invented: [],
    left: Infinity,
    retryAfterSeconds: 0,
    status: null,
    summaries: new Map(),
    scripts: new Map(),
  };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/api/, '');
    requests.push(path);
    respond(state, path, response).catch((error: unknown) => {
      const isMissing = error instanceof NodeRpcError || error instanceof NotFound;
      response.writeHead(isMissing ? 404 : 500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/`,
    requests,
    show: (other) => void (state.node = other),
    lagAt: (height) => void (state.lagsAt = height),
    hide: (txid, { isListed = false } = {}) => {
      state.hidden.add(txid);
      if (!isListed) state.unlisted.add(txid);
    },
    leaveOut: (txid) => void state.leftOut.add(txid),
    repent: () => {
      for (const set of [state.hidden, state.unlisted, state.leftOut]) set.clear();
    },
    invent: (blocks) => void (state.invented = blocks),
    limit: (count, retryAfterSeconds = 0) => {
      state.left = count ?? Infinity;
      state.retryAfterSeconds = retryAfterSeconds;
    },
    answer: (status) => void (state.status = status),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class NotFound extends Error {}

async function respond(state: State, path: string, response: ServerResponse): Promise<void> {
  state.left -= 1;
  if (state.status !== null) return void response.writeHead(state.status).end('{"error":"no"}');
  if (state.left < 0) {
    return void response.writeHead(429, { 'retry-after': String(state.retryAfterSeconds) }).end('slow down');
  }
  const body = await answerOf(state, path);
  response
    .writeHead(200)
    .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

async function answerOf(state: State, path: string): Promise<unknown> {
  const [, first, second = '', third] = path.split('/');
  if (path === '/blocks/tip/hash') return hashAt(state, await tipHeight(state));
  if (path === '/mempool/txids') return listMempool(state);
  if (path === '/fee-estimates') return { '1': 87.882, '2': 20.5001, '6': 3, '144': 1.027 };
  if (first === 'block-height') return hashAt(state, Number(second));
  if (first === 'blocks') return page(state, Number(second));
  if (first === 'block' && third === 'raw') return rawBlock(state, second);
  if (first === 'block') return summary(state, second);
  if (first === 'tx' && third === 'raw') return rawTransaction(state, second);
  if (first === 'address') return addressStats(state, second);
  throw new NotFound(path);
}

async function tipHeight({ node, lagsAt, invented }: State): Promise<number> {
  const top = invented.at(-1);
  if (top) return top.height;
  return Math.min(await node.rpc.getBlockCount(), lagsAt ?? Infinity);
}

async function hashAt(state: State, height: number): Promise<unknown> {
  if (height > (await tipHeight(state))) throw new NotFound();
  const invented = state.invented.find((block) => block.height === height);
  return invented?.hash ?? state.node.rpc.call('getblockhash', height);
}

async function listMempool({ node, lagsAt, unlisted }: State): Promise<string[]> {
  const txids = lagsAt === null ? await node.rpc.getMempool() : [];
  return txids.filter((txid) => !unlisted.has(txid));
}

async function page(state: State, from: number): Promise<unknown[]> {
  const heights = Array.from({ length: PAGE }, (_, i) => from - i).filter((height) => height >= 0);
  const hashes = await Promise.all(heights.map((height) => hashAt(state, height)));
  return Promise.all(hashes.map((hash) => summary(state, String(hash))));
}

async function summary({ node, invented, summaries }: State, hash: string): Promise<unknown> {
  const own = invented.find((block) => block.hash === hash);
  if (own) return describe(own.hash, own.height, own.header);
  const kept = summaries.get(hash) ?? (await describeOf(node, hash));
  summaries.set(hash, kept);
  return kept;
}

async function describeOf({ rpc }: ChainNode, hash: string): Promise<unknown> {
  const place = z.object({ height: z.number() }).parse(await rpc.call('getblockheader', hash, true));
  const header = hex.parse(await rpc.call('getblockheader', hash, false));
  return describe(hash, place.height, Buffer.from(header, 'hex'));
}

function describe(hash: string, height: number, header: Buffer): unknown {
  return {
    id: hash,
    height,
    version: header.readInt32LE(0),
    previousblockhash: height === 0 ? null : display(header.subarray(4, 36)),
    merkle_root: display(header.subarray(36, 68)),
    timestamp: header.readUInt32LE(68),
    bits: header.readUInt32LE(72),
    nonce: header.readUInt32LE(76),
  };
}

function display(bytes: Uint8Array): string {
  return Buffer.from(bytes.toReversed()).toString('hex');
}

/** A liar cuts whole transactions out of the block: few enough that their count stays one byte. */
async function rawBlock({ node, leftOut, invented }: State, hash: string): Promise<Buffer> {
  const own = invented.find((block) => block.hash === hash);
  if (own) return own.raw;
  const raw = Buffer.from(hex.parse(await node.rpc.call('getblock', hash, 0)), 'hex');
  const [block] = await node.rpc.getBlocks([hash]);
  const gone = block?.transactions.filter(({ txid }) => leftOut.has(txid)) ?? [];
  let cut = raw;
  for (const { txid } of gone) {
    const bytes = Buffer.from(hex.parse(await rawOf(node, txid, hash)), 'hex');
    const at = cut.indexOf(bytes);
    cut = Buffer.concat([cut.subarray(0, at), cut.subarray(at + bytes.length)]);
    cut.writeUInt8(cut.readUInt8(80) - 1, 80);
  }
  return cut;
}

async function rawOf(node: ChainNode, txid: string, blockHash: string): Promise<unknown> {
  return node.rpc.call('getrawtransaction', txid, false, blockHash);
}

async function rawTransaction({ node, hidden }: State, txid: string): Promise<Buffer> {
  if (hidden.has(txid)) throw new NotFound();
  return Buffer.from(hex.parse(await node.rpc.call('getrawtransaction', txid, 0)), 'hex');
}

/** Reads the whole chain for it, once: regtest chains are short. */
async function addressStats(state: State, address: string): Promise<unknown> {
  const { rpc, currency } = state.node;
  const script = Buffer.from(scriptOf(currency, address)).toString('hex');
  const hashes = await rpc.getBlockHashes(1, await tipHeight(state));
  const unread = hashes.filter((hash) => !state.scripts.has(hash));
  for (const block of await rpc.getBlocks(unread))
    state.scripts.set(block.hash, scriptsOf(block.transactions));
  const inMempool = scriptsOf(await rpc.getMempoolTransactions(await rpc.getMempool()));
  const count = (scripts: readonly string[]) => scripts.filter((paid) => paid === script).length;
  return {
    address,
    chain_stats: { funded_txo_count: count(hashes.flatMap((hash) => state.scripts.get(hash) ?? [])) },
    mempool_stats: { funded_txo_count: count(inMempool) },
  };
}

function scriptsOf(transactions: readonly NodeTransaction[]): string[] {
  return transactions.flatMap(({ outputs }) => outputs.map(({ scriptHex }) => scriptHex));
}
