import { networkOfGenesis, NODE_CHAIN_NAMES, ParseError, parseTransaction } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import type { Clock } from '@paywatch/runtime/process';
import { z } from 'zod';
import {
  InvalidSourceDataError,
  type AddressHistory,
  type ChainSource,
  type SourceAddress,
  type SourceFee,
  type SourceIdentity,
  type SourceTip,
} from '../chain-source.ts';
import { ESPLORA_REQUESTS_AT_ONCE, EsploraClient } from './esplora-client.ts';
import { esploraHeaders, type EsploraHeaders } from './esplora-headers.ts';
import { fetchEach } from '../fetch-each.ts';
import { createTransactionCache, type TransactionCache } from '../transaction-cache.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const coins = z.object({ funded_txo_count: z.number().int().nonnegative() });
const addressStats = z.object({ chain_stats: coins, mempool_stats: coins });
/** Minimal units per virtual byte by number of blocks. */
const feeEstimates = z.record(z.string(), z.number().positive());
/** The format of mempool.space. */
const recommendedFees = z.object({
  fastestFee: z.number().positive(),
  halfHourFee: z.number().positive(),
  hourFee: z.number().positive(),
  economyFee: z.number().positive(),
});

/** Larger than any mempool of Litecoin so far, and most of Bitcoin's. */
const CACHED_BYTES = 64 * 1024 * 1024;
/** Each address is one request. */
const ADDRESSES_AT_ONCE = 20;

export type EsploraOptions = {
  /** Base URL of the API, such as `https://mempool.space/api`. */
  url: string;
  currency: Currency;
  clock: Clock;
  /** The shortest pause between two polls, in milliseconds. */
  minPauseMs: number;
};

/**
 * An Esplora server (mempool.space, litecoinspace.org, blockstream/electrs), for operators without a node. Its headers and
 * transactions must hash to their names; work and blocks are validated as for every source. That its mempool is complete must
 * be trusted.
 *
 * Cost: a poll takes five small requests, one list of all txids of the mempool (65 bytes each: 5 MB for the 80,000 of a full
 * Bitcoin mempool), and one request for each new transaction. The first poll requests every transaction. A block is one
 * request. So Bitcoin's mempool needs your own server, while a public one suffices for Litecoin's.
 */
export function createEsploraSource({ url, currency, clock, minPauseMs }: EsploraOptions): ChainSource {
  const client = new EsploraClient(url, clock);
  const headers = esploraHeaders(client);
  const cache = createTransactionCache(CACHED_BYTES);
  const chainName = once(() => readChainName(client, currency));
  return {
    name: client.name,
    minPauseMs,
    getTip: async () => getTip(client, headers, await chainName()),
    getHashAt: (height) => client.getText(`/block-height/${height}`, hash),
    getHeader: (of) => headers.get(of),
    getHeaders: (top, count) => headers.getDown(top, count),
    getBlock: (of) => client.get(`/block/${of}/raw`),
    listMempool: () => listMempool(client, cache),
    getMempoolTransactions: (txids) =>
      fetchEach(txids, ESPLORA_REQUESTS_AT_ONCE, (txid) => findTransaction(client, cache, txid)),
    getMempoolTimes: (txids) => Promise.resolve(txids.map(() => null)),
    estimateFees: (targets) => estimateFees(client, targets),
    histories: {
      atOnce: ADDRESSES_AT_ONCE,
      canRead: () => Promise.resolve(true),
      read: (addresses) =>
        fetchEach(addresses, ESPLORA_REQUESTS_AT_ONCE, (address) => readHistory(client, address)),
    },
    readClockMs: () => readClockMs(client),
    identify: () => identify(client),
    close: () => client.close(),
  };
}

/** The name that a node would report for the network. Esplora does not report one, so the genesis block decides. */
async function readChainName(client: EsploraClient, currency: Currency): Promise<string> {
  const genesis = await client.getText('/block-height/0', hash);
  const network = networkOfGenesis(currency, genesis);
  return network === null ? `a chain that begins with ${genesis}` : (NODE_CHAIN_NAMES[network][0] ?? network);
}

async function getTip(client: EsploraClient, headers: EsploraHeaders, chain: string): Promise<SourceTip> {
  const { height, hash: tipHash } = await headers.get(await client.getText('/blocks/tip/hash', hash));
  return {
    chain,
    height,
    headers: height,
    hash: tipHash,
    work: null,
    isInitialDownload: false,
    prunedBelow: 0,
  };
}

/** Adds half a second, the average that the whole seconds of a Date header cut off. */
async function readClockMs(client: EsploraClient): Promise<number | null> {
  await client.getText('/blocks/tip/hash', hash);
  return client.lastDateMs === null ? null : client.lastDateMs + 500;
}

const mempoolTotals = z.object({ count: z.number(), vsize: z.number(), total_fee: z.number() });

/** Two servers rarely have the same mempool at the same time. */
async function identify(client: EsploraClient): Promise<SourceIdentity | null> {
  const totals = await client.findJson('/mempool', mempoolTotals);
  return (
    totals && { traits: JSON.stringify([totals.count, totals.vsize, totals.total_fee]), startedMs: null }
  );
}

async function listMempool(client: EsploraClient, cache: TransactionCache): Promise<string[]> {
  const txids = await client.getJson('/mempool/txids', z.array(hash));
  cache.keepOnly(txids);
  return txids;
}

async function findTransaction(
  client: EsploraClient,
  cache: TransactionCache,
  txid: string,
): Promise<Uint8Array | null> {
  const bytes = cache.get(txid) ?? (await client.find(`/tx/${txid}/raw`));
  if (bytes === null) return null;
  if (isAnother(bytes, txid))
    throw new InvalidSourceDataError(client.name, `asked for ${txid}, got another transaction`);
  cache.add(txid, bytes);
  return bytes;
}

/** A peg-out has a different txid in the mempool than its bytes hash to. The caller reports unreadable bytes. */
function isAnother(bytes: Uint8Array, txid: string): boolean {
  try {
    const transaction = parseTransaction(bytes);
    return transaction.txid !== txid && !transaction.hasMweb;
  } catch (error) {
    if (error instanceof ParseError) return false;
    throw error;
  }
}

async function readHistory(client: EsploraClient, { address }: SourceAddress): Promise<AddressHistory> {
  const stats = await client.getJson(`/address/${address}`, addressStats);
  if (stats.chain_stats.funded_txo_count > 0) return 'confirmed';
  return stats.mempool_stats.funded_txo_count > 0 ? 'unconfirmed' : 'none';
}

async function estimateFees(client: EsploraClient, targets: readonly number[]): Promise<SourceFee[]> {
  const byBlocks = (await client.findJson('/fee-estimates', feeEstimates)) ?? (await readRecommended(client));
  const known = Object.entries(byBlocks)
    .map(([blocks, rate]) => ({ blocks: Number(blocks), rate }))
    .toSorted((a, b) => b.blocks - a.blocks);
  return targets.map((targetBlocks) => {
    // Without an estimate for exactly this number of blocks, the one for fewer blocks is the safe choice.
    const best = known.find(({ blocks }) => blocks <= targetBlocks);
    return { targetBlocks, feeRate: best ? rounded(best.rate) : null };
  });
}

async function readRecommended(client: EsploraClient): Promise<Record<string, number>> {
  const fees = await client.findJson('/v1/fees/recommended', recommendedFees);
  return fees === null
    ? {}
    : { 1: fees.fastestFee, 3: fees.halfHourFee, 6: fees.hourFee, 24: fees.economyFee };
}

/** Rounded up to a thousandth, as a decimal string without trailing zeros. */
function rounded(rate: number): string {
  return (Math.ceil(Number((rate * 1000).toFixed(3))) / 1000).toFixed(3).replace(/\.?0+$/, '');
}

/** Caches the first success; after a failure the next caller tries again. */
function once<T>(start: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | null = null;
  return () => {
    outcome ??= start().catch((error: unknown) => {
      outcome = null;
      throw error;
    });
    return outcome;
  };
}
