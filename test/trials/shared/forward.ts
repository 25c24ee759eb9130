import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/** Listens on an address of a network of ours and passes connections on to a port of 127.0.0.1. Returns the port. */
export async function forward(parts: AsyncDisposableStack, address: string, target: number): Promise<number> {
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    // One side that breaks off ends the other.
    incoming.on('error', () => outgoing.destroy());
    outgoing.on('error', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  server.listen(0, address);
  await once(server, 'listening');
  parts.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}
