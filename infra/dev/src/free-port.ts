import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below Linux' ephemeral range (32768 up): a port of that range, free a moment ago, may already serve as the
 * source of somebody's outgoing connection when the server comes to bind it.
 */
const lowestPort = 20_000;
const highestPort = 31_999;

/**
 * A TCP port that nothing listens on right now; `preferred` when it is free.
 * Nothing reserves it: bind it soon. Throws when a hundred random ports were all taken.
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(lowestPort, highestPort + 1);
    if (await isFree(port)) return port;
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
