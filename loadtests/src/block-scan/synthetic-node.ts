import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { SyntheticBlock } from './synthetic-block.ts';

/** The part of a Bitcoin node that a watcher needs: synthetic blocks by RPC and REST, and an empty mempool. */
export type SyntheticNode = {
  url: string;
  /** Makes the node's chain the first `height` of these blocks, on top of regtest's genesis block. */
  show(blocks: readonly SyntheticBlock[], height: number): void;
  /** When the first block was requested after the last `show`, by performance.now(); null before. */
  firstAskedMs(): number | null;
};

/** Hash of regtest's genesis block, by which watchers recognize the network. */
export const REGTEST_GENESIS = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';

type Chain = { headers: readonly Header[]; byHash: ReadonlyMap<string, Buffer> };
type Header = { hash: string; height: number; time: number; previousblockhash: string | null };

/** Starts a node that needs `blockMs` per block; `parts` stops it. */
export async function startSyntheticNode(
  parts: AsyncDisposableStack,
  blockMs: number,
): Promise<SyntheticNode> {
  let chain = chainOf([]);
  let askedMs: number | null = null;
  const server = createServer((request, response) => {
    const isForBlock = isBlock(request);
    if (isForBlock) askedMs ??= performance.now();
    sleep(isForBlock ? blockMs : 0)
      .then(() => respond(chain, request, response))
      .catch(() => response.writeHead(500).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  parts.defer(() => closed(server));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    show: (blocks, height) => {
      askedMs = null;
      chain = chainOf(blocks.slice(0, height));
    },
    firstAskedMs: () => askedMs,
  };
}

function chainOf(blocks: readonly SyntheticBlock[]): Chain {
  const genesis = { hash: REGTEST_GENESIS, height: 0, time: 0, previousblockhash: null };
  const headers = blocks.map(({ hash, prevHash, timeMs }, index) => ({
    hash,
    height: index + 1,
    time: timeMs / 1000,
    previousblockhash: prevHash,
  }));
  return {
    headers: [genesis, ...headers],
    byHash: new Map(blocks.map(({ hash, bytes }) => [hash, bytes])),
  };
}

const REST_BLOCK = /^\/rest\/block\/([0-9a-f]{64})\.bin$/;
const isBlock = ({ url = '' }: IncomingMessage): boolean => REST_BLOCK.test(url);

async function respond(chain: Chain, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const block = chain.byHash.get(REST_BLOCK.exec(request.url ?? '')?.[1] ?? '');
  if (block) return void response.end(block);
  if (request.url?.startsWith('/rest/')) return void response.end(JSON.stringify(infoOf(chain)));
  const asked = z.union([z.array(call), call]).parse(JSON.parse(await text(request)));
  const answers = [asked].flat().map(({ id, method, params }) => answer(chain, id, method, params));
  response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
}

const call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });

function answer(chain: Chain, id: number, method: string, [first]: unknown[]): unknown {
  const { headers } = chain;
  if (method === 'getblockchaininfo') return { id, error: null, result: infoOf(chain) };
  if (method === 'getblockhash') return { id, error: null, result: headers[Number(first)]?.hash };
  if (method === 'getblockheader') {
    return { id, error: null, result: headers.find(({ hash }) => hash === first) };
  }
  if (method === 'getrawmempool') return { id, error: null, result: [] };
  return { id, result: null, error: { code: -32601, message: 'Method not found' } };
}

function infoOf({ headers }: Chain) {
  const { hash, height } = headers.at(-1)!;
  return {
    chain: 'regtest',
    blocks: height,
    headers: height,
    bestblockhash: hash,
    chainwork: height.toString(16).padStart(64, '0'),
    initialblockdownload: false,
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
