import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below Linux' ephemeral range (32768 up): a port of that range, free a moment ago, may already serve as the
 * source of somebody's outgoing connection when the server comes to bind it.
 */
const lowestPort = 20_000;
const highestPort = 31_999;

/**
 * A TCP port that nothing listens on right now; `preferred` when it is free. Any other is given to this process alone for as long
 * as it lives, so that a server can be started there again. Throws when a hundred random ports were all taken.
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

/** Asks for the port on every interface: another server may hold it on 0.0.0.0 alone. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '0.0.0.0', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/**
 * Between the look at a port and its use seconds may pass, in which others look for theirs. Nobody serves UDP there: who holds the
 * number as a UDP port has it from here, and the system takes it back when the process ends. Null where another one holds it.
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
