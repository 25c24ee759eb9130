import type { ChainNode } from '@paywatch/dev/nodes';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The address of a node that watchers know. While it is closed they do not reach the node, though it runs. */
export type NodeDoor = {
  url: string;
  /** Leads to this node; before that it is closed. */
  show(node: ChainNode): void;
  setOpen(isOpen: boolean): void;
  stop(): Promise<void>;
};

/** Starts it. It passes requests and responses on as they are, and knows the node's password itself. */
export async function startNodeDoor(): Promise<NodeDoor> {
  let node: ChainNode | null = null;
  let isOpen = true;
  const server = createServer((asked, answer) => {
    if (node && isOpen) passOn(node, asked, answer);
    else asked.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://paywatch:door@127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (shown) => void (node = shown),
    setOpen: (open) => {
      isOpen = open;
      if (!open) server.closeAllConnections();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function passOn(
  { rpcUrl, rpcUser, rpcPassword }: ChainNode,
  asked: IncomingMessage,
  answer: ServerResponse,
): void {
  const authorization = `Basic ${btoa(`${rpcUser}:${rpcPassword}`)}`;
  const onward = request(new URL(asked.url ?? '/', rpcUrl), {
    method: asked.method ?? 'GET',
    headers: { ...asked.headers, authorization },
    agent: false,
  });
  onward.once('error', () => answer.destroy());
  onward.once('response', (answered) => {
    answer.writeHead(answered.statusCode ?? 500, answered.headers);
    answered.pipe(answer);
  });
  asked.pipe(onward);
}
