import { HEADER_BYTES, parseBlockHeader, type BlockPlace } from '@paywatch/domain/chain';
import { z } from 'zod';
import {
  ChainSourceError,
  type AddressHistory,
  type ChainSource,
  type SourceAddress,
  type SourceFee,
  type SourceHeader,
  type SourceIdentity,
  type SourceTip,
} from '../chain-source.ts';
import { createRestBlocks } from './rest-blocks.ts';
import { RpcClient, type RpcCall, type RpcOutcome } from './rpc-client.ts';
import { listenToNode } from './zmq-listener.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const work = hash.transform((digits) => BigInt(`0x${digits}`));
const height = z.number().int().nonnegative();

const blockchainInfo = z.object({
  chain: z.string(),
  blocks: height,
  headers: height,
  bestblockhash: hash,
  chainwork: work,
  initialblockdownload: z.boolean().optional(),
  pruneheight: height.nullish(),
});

const headerPlace = z.object({ height });

/** Larger batches hold up other users of the node. */
const BATCH = 100;
/** Bitcoin Core's code for an unknown transaction or block. */
const NOT_FOUND = -5;
const MISC_ERROR = -1;
/** bcoin's code for an unknown method, and Core's for one that is not allowed. */
const NO_SUCH_METHOD = -32601;
/** A large block from a slow disk. */
const BLOCK_TIMEOUT_MS = 60_000;
/** Minutes on mainnet: the node scans all unspent outputs. */
const SCAN_TIMEOUT_MS = 900_000;
/** A scan takes as long for hundreds of scripts as for one; deriving them takes half a second. */
const SCRIPTS_AT_ONCE = 500;

export type NodeOptions = {
  /** Where the node publishes raw transactions and block hashes over ZeroMQ, as `tcp://host:port`; empty: it is polled. */
  zmqEndpoints?: readonly string[];
};

/**
 * Bitcoin Core, Litecoin Core or bcoin over JSON-RPC, using only what all three support; blocks over REST and notifications
 * over ZeroMQ if the node serves them.
 */
export function createNodeSource(nodeUrl: string, { zmqEndpoints = [] }: NodeOptions = {}): ChainSource {
  const rpc = new RpcClient(nodeUrl);
  const rest = createRestBlocks(nodeUrl);
  return {
    name: rpc.name,
    getTip: () => getTip(rpc),
    getHashAt: async (at) => parse(rpc, hash, await rpc.call('getblockhash', at)),
    getHeader: (of) => getHeader(rpc, of),
    getHeaders: (top, count) => getHeaders(rpc, top, count),
    getBlock: async (of) => (await rest.getBlock(of)) ?? getBlock(rpc, of),
    isMempoolLoaded: () => isMempoolLoaded(rpc),
    listMempool: async () => parse(rpc, z.array(hash), await rpc.call('getrawmempool')),
    getMempoolTransactions: (txids) => getMempoolTransactions(rpc, txids),
    getMempoolTimes: (txids) => getMempoolTimes(rpc, txids),
    estimateFees: (targets) => estimateFees(rpc, targets),
    readClockMs: () => readClockMs(rpc),
    identify: () => identify(rpc),
    close: async () => void (await Promise.all([rpc.close(), rest.close()])),
    histories: {
      atOnce: SCRIPTS_AT_ONCE,
      canRead: () => canScan(rpc),
      read: (addresses) => scanUnspentOutputs(rpc, addresses),
    },
    ...(zmqEndpoints.length > 0 && { listen: (listener) => listenToNode(zmqEndpoints, listener) }),
  };
}

async function getTip(rpc: RpcClient): Promise<SourceTip> {
  const info = parse(rpc, blockchainInfo, await rpc.call('getblockchaininfo'));
  return {
    chain: info.chain,
    height: info.blocks,
    headers: info.headers,
    hash: info.bestblockhash,
    work: info.chainwork,
    isInitialDownload: info.initialblockdownload ?? false,
    prunedBelow: info.pruneheight ?? 0,
  };
}

async function getHeader(rpc: RpcClient, of: string): Promise<SourceHeader> {
  const [raw, place] = await callAll(rpc, [
    { method: 'getblockheader', params: [of, false] },
    { method: 'getblockheader', params: [of, true] },
  ]);
  return toHeader(rpc, raw, parse(rpc, headerPlace, place).height);
}

/** Two requests, whatever the count. The caller detects a change of the best chain between them. */
async function getHeaders(rpc: RpcClient, top: BlockPlace, count: number): Promise<SourceHeader[]> {
  const heights = Array.from({ length: Math.min(count, BATCH) }, (_, index) => top.height - index);
  const hashes = await callAll(
    rpc,
    heights.map((at) => ({ method: 'getblockhash', params: [at] })),
  );
  const headers = await callAll(
    rpc,
    hashes.map((of) => ({ method: 'getblockheader', params: [of, false] })),
  );
  return headers.map((raw, index) => toHeader(rpc, raw, top.height - index));
}

function toHeader(rpc: RpcClient, rawHex: unknown, at: number): SourceHeader {
  const raw = Buffer.from(parse(rpc, hex, rawHex), 'hex');
  if (raw.length !== HEADER_BYTES) throw new ChainSourceError(`${rpc.name}: truncated header`);
  const { hash: ownHash, prevHash, timeMs } = parseBlockHeader(raw);
  return { height: at, hash: ownHash, prevHash, timeMs, raw };
}

/** The results of all calls. Rejects with the first error. */
async function callAll(rpc: RpcClient, calls: readonly RpcCall[]): Promise<unknown[]> {
  const outcomes = await rpc.batch(calls);
  return outcomes.map((outcome) => {
    if (outcome.ok) return outcome.result;
    throw outcome.error;
  });
}

const mempoolInfo = z.object({ loaded: z.boolean().optional() });

/** Core reports it since 0.19; other nodes load their mempool before they respond. */
async function isMempoolLoaded(rpc: RpcClient): Promise<boolean> {
  const [outcome] = await rpc.batch([{ method: 'getmempoolinfo', params: [] }]);
  if (!outcome?.ok && outcome?.error.code === NO_SUCH_METHOD) return true;
  if (!outcome?.ok) throw outcome?.error ?? new ChainSourceError(`${rpc.name}: no answer to getmempoolinfo`);
  return parse(rpc, mempoolInfo, outcome.result).loaded ?? true;
}

const netTotals = z.object({ timemillis: z.number() });

async function readClockMs(rpc: RpcClient): Promise<number | null> {
  const [outcome] = await rpc.batch([{ method: 'getnettotals', params: [] }]);
  const totals = netTotals.safeParse(outcome?.ok ? outcome.result : null);
  return totals.success ? totals.data.timemillis : null;
}

/** Two nodes rarely have the same version, the same size on disk and the same start time. */
async function identify(rpc: RpcClient): Promise<SourceIdentity | null> {
  const methods = ['getnetworkinfo', 'getblockchaininfo', 'uptime', 'getnettotals'];
  const outcomes = await rpc.batch(methods.map((method) => ({ method, params: [] })));
  const [network, chain, uptime, totals] = outcomes.map((outcome) => (outcome.ok ? outcome.result : null));
  const version = z.object({ subversion: z.string() }).safeParse(network);
  const size = z.object({ size_on_disk: z.number() }).safeParse(chain);
  const seconds = z.number().safeParse(uptime);
  const now = netTotals.safeParse(totals);
  return {
    traits: JSON.stringify([version.data?.subversion, size.data?.size_on_disk]),
    startedMs: seconds.success && now.success ? now.data.timemillis - seconds.data * 1000 : null,
  };
}

async function getBlock(rpc: RpcClient, of: string): Promise<Uint8Array> {
  return Buffer.from(parse(rpc, hex, await rpc.callWithin(BLOCK_TIMEOUT_MS, 'getblock', of, 0)), 'hex');
}

async function getMempoolTransactions(
  rpc: RpcClient,
  txids: readonly string[],
): Promise<(Uint8Array | null)[]> {
  const outcomes = await callEach(rpc, 'getrawtransaction', txids, (txid) => [txid, 0]);
  return outcomes.map((outcome) => {
    if (outcome.ok) return Buffer.from(parse(rpc, hex, outcome.result), 'hex');
    if (isNotFound(outcome.error)) return null;
    throw outcome.error;
  });
}

/** bcoin's code only means "error", so the message decides. */
function isNotFound({ code, message }: ChainSourceError): boolean {
  return code === NOT_FOUND || (code === MISC_ERROR && message.endsWith('Transaction not found.'));
}

async function getMempoolTimes(rpc: RpcClient, txids: readonly string[]): Promise<(number | null)[]> {
  const outcomes = await callEach(rpc, 'getmempoolentry', txids, (txid) => [txid]);
  const entry = z.object({ time: z.number() });
  return outcomes.map((outcome) => {
    const parsed = entry.safeParse(outcome.ok ? outcome.result : null);
    return parsed.success ? parsed.data.time * 1000 : null;
  });
}

async function estimateFees(rpc: RpcClient, targets: readonly number[]): Promise<SourceFee[]> {
  const estimate = z.object({ feerate: z.number().positive() });
  const outcomes = await callEach(rpc, 'estimatesmartfee', targets, (target) => [target]);
  return outcomes.map((outcome, index) => {
    const parsed = estimate.safeParse(outcome.ok ? outcome.result : null);
    const feeRate = parsed.success ? perVirtualByte(parsed.data.feerate) : null;
    return { targetBlocks: targets[index] ?? 0, feeRate };
  });
}

const scanResult = z.object({ unspents: z.array(z.object({ scriptPubKey: hex })) });

/** Core has this method, bcoin does not. */
async function canScan(rpc: RpcClient): Promise<boolean> {
  const [outcome] = await rpc.batch([{ method: 'scantxoutset', params: ['status'] }]);
  if (!outcome || outcome.ok) return true;
  if (outcome.error.code === NO_SUCH_METHOD) return false;
  throw outcome.error;
}

/**
 * Asks a Core node for the unspent outputs of scripts: an address whose coins were all spent shows no history. A node runs one
 * such scan at a time and refuses a second.
 */
async function scanUnspentOutputs(
  rpc: RpcClient,
  addresses: readonly SourceAddress[],
): Promise<AddressHistory[]> {
  const scripts = addresses.map(({ script }) => Buffer.from(script).toString('hex'));
  const wanted = scripts.map((script) => `raw(${script})`);
  const answer = await rpc.callWithin(SCAN_TIMEOUT_MS, 'scantxoutset', 'start', wanted);
  const used = new Set(parse(rpc, scanResult, answer).unspents.map(({ scriptPubKey }) => scriptPubKey));
  return scripts.map((script) => (used.has(script) ? 'confirmed' : 'none'));
}

/** Coins per 1,000 virtual bytes to minimal units per virtual byte, rounded up to a thousandth. */
function perVirtualByte(coinsPerKvB: number): string {
  const thousandths = Math.max(1, Math.ceil(Number((coinsPerKvB * 1e8).toFixed(3))));
  return (thousandths / 1000).toFixed(3).replace(/\.?0+$/, '');
}

async function callEach<Item>(
  rpc: RpcClient,
  method: string,
  items: readonly Item[],
  params: (item: Item) => unknown[],
): Promise<RpcOutcome[]> {
  const outcomes: RpcOutcome[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    const chunk = items.slice(start, start + BATCH);
    outcomes.push(...(await rpc.batch(chunk.map((item) => ({ method, params: params(item) })))));
  }
  return outcomes;
}

function parse<T>(rpc: RpcClient, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ChainSourceError(`${rpc.name}: unexpected response format`);
}
