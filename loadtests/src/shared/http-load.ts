import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A load that repeats one kind of request. */
export type HttpLoad = {
  /** Servers on 127.0.0.1; connections go to them in turn. */
  ports: readonly number[];
  /** Requests in flight, each on its own keep-alive connection. */
  inFlight: number;
  /** The complete next request, as HTTP/1.1 bytes. */
  nextRequest: () => string;
  /** The status that every response must have. */
  status: number;
};

/**
 * Sends the next request as soon as a response arrives, for `seconds`, and returns the number of responses. It does as little as
 * possible, to leave the CPU to the measured server. Throws on the first response with another status.
 */
export async function runHttpLoad(load: HttpLoad, seconds: number): Promise<number> {
  const untilMs = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: load.inFlight }, (_, index) =>
      runConnection(load.ports[index % load.ports.length] ?? 0, load, untilMs),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function runConnection(port: number, load: HttpLoad, untilMs: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  try {
    return await askUntil(socket, load, untilMs);
  } finally {
    socket.destroy();
  }
}

function askUntil(socket: Socket, { nextRequest, status }: HttpLoad, untilMs: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const expected = `HTTP/1.1 ${status} `;
  let count = 0;
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (!isComplete(received)) return;
    if (!received.startsWith(expected)) return reject(new Error(`unexpected response: ${received}`));
    count += 1;
    received = '';
    if (performance.now() < untilMs) socket.write(nextRequest());
    else resolve(count);
  });
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the server closed a connection during a request')));
  socket.write(nextRequest());
  return promise;
}

/** Whether the one outstanding response has arrived completely. In Latin 1 the string's length is the number of bytes. */
function isComplete(received: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1];
  if (length === undefined) throw new Error(`response without Content-Length: ${received}`);
  return received.length >= end + 4 + Number(length);
}

/** The bytes of an HTTP/1.1 request, with a JSON body unless `body` is empty. */
export function httpRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): string {
  const fields = Object.entries({ Host: 'bench.example', ...headers, ...bodyFields(body) });
  return `${method} ${path} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

function bodyFields(body: string): Record<string, string> {
  if (body === '') return {};
  return { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
}
