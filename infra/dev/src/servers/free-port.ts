import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Ports below Linux' ephemeral range (from 32768): between the check and the bind, a port of that range may become the source port
 * of an outgoing connection.
 */
const lowestPort = 20_000;
const highestPort = 31_999;

/**
 * Returns a free TCP port; `preferred` if that is free. Any other port is reserved for this process until it exits, so that a server
 * can be restarted there. Throws if a hundred random ports are in use.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(lowestPort, highestPort + 1);
    const reservation = await reserve(port);
    if (reservation !== null && (await isFree(port))) return port;
    reservation?.close();
  }
  throw new Error(`no free port between ${lowestPort} and ${highestPort}`);
}

/** Checks the port on all interfaces: another server may listen on 0.0.0.0 only. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '0.0.0.0', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Reserves a port among the processes that call this function: they hold the UDP port of the same number, which no server uses. The
 * system releases it when the process exits. Returns null if another process holds it.
 */
function reserve(port: number): Promise<Socket | null> {
  const socket = createSocket('udp4').unref();
  const { promise, resolve } = Promise.withResolvers<Socket | null>();
  socket.once('error', () => {
    socket.close();
    resolve(null);
  });
  socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket));
  return promise;
}
