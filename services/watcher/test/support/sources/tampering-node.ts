import type { ChainNode } from '@paywatch/dev/nodes';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** The RPC of a node whose responses are changed on the way. */
export type TamperingNode = { url: string; name: string; close(): Promise<void> };

/** What to return in place of the node's own result; a promise is awaited. */
export type Tamper = (method: string, params: readonly unknown[], result: unknown) => unknown;

const call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
type Call = z.infer<typeof call>;

/** Passes every call on to the node. A call that the node refuses, or that `tamper` throws at, is answered with an error. */
export async function startTamperingNode(node: ChainNode, tamper: Tamper): Promise<TamperingNode> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = z.union([z.array(call), call]).parse(JSON.parse(await text(request)));
    const answers = await Promise.all([asked].flat().map((each) => answer(node, tamper, each)));
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
    name: `127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(node: ChainNode, tamper: Tamper, { id, method, params }: Call): Promise<unknown> {
  try {
    const result = await node.rpc.call(method, ...params);
    return { id, error: null, result: await tamper(method, params, result) };
  } catch (error) {
    return { id, result: null, error: { code: -5, message: String(error) } };
  }
}
