import type { ChainNode } from '@paywatch/dev';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A node's RPC as if it had deleted its blocks below a height: the smallest file that Core prunes takes 128 MB to fill. */
export type PrunedNode = { url: string; close(): Promise<void> };

const call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
type Call = z.infer<typeof call>;

export async function startPrunedNode(node: ChainNode, prunedBelow: number): Promise<PrunedNode> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = z.union([z.array(call), call]).parse(JSON.parse(await text(request)));
    const answers = await Promise.all([asked].flat().map((each) => answer(node, prunedBelow, each)));
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  };
  const server = createServer((request, response) => {
    // What is no RPC, such as REST, is not there.
    respond(request, response).catch((error: unknown) => response.writeHead(404).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(node: ChainNode, prunedBelow: number, { id, method, params }: Call): Promise<unknown> {
  try {
    const result = await node.rpc.call(method, ...params);
    if (method === 'getblockchaininfo') {
      return { id, error: null, result: { ...Object(result), pruned: true, pruneheight: prunedBelow } };
    }
    if (method === 'getblock' && (await heightOf(node, params[0])) < prunedBelow) {
      return { id, result: null, error: { code: -1, message: 'Block not available (pruned data)' } };
    }
    return { id, error: null, result };
  } catch (error) {
    return { id, result: null, error: { code: -5, message: String(error) } };
  }
}

async function heightOf(node: ChainNode, hash: unknown): Promise<number> {
  const header = await node.rpc.call('getblockheader', hash, true);
  return z.object({ height: z.number() }).parse(header).height;
}
