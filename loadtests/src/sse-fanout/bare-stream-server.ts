/**
 * The baseline of the stream benchmark: a server that only writes one buffer to each socket. POST /publish sends one message and
 * returns its position; POST /saturate sends as many as possible for `ms`.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

const MAX_WAITING_BYTES = 64 * 1024;
const streams = new Set<Socket>();
let position = 0;

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://bare');
  const size = Number(url.searchParams.get('size'));
  if (request.method === 'GET' && url.pathname === '/health/ready') response.end('ok');
  else if (url.pathname === '/publish') {
    response.end(String(position + 1));
    publish(size);
  } else if (url.pathname === '/saturate') {
    void saturate(size, Number(url.searchParams.get('ms'))).then(() => response.end());
  } else {
    const { socket } = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (socket === null) return;
    socket.write(chunk(`id: ${position}\n\n`));
    streams.add(socket);
    socket.once('close', () => streams.delete(socket));
  }
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
await once(server, 'listening');

function publish(size: number): void {
  position += 1;
  const head = `event: message\nid: ${position}\ndata: `;
  const buffer = chunk(`${head}${'x'.repeat(Math.max(0, size - head.length - 2))}\n\n`);
  for (const socket of streams) socket.write(buffer);
}

/** Waits for slow clients, so that the rate counts received messages and not buffered ones. */
async function saturate(size: number, ms: number): Promise<void> {
  for (const untilMs = performance.now() + ms; performance.now() < untilMs;) {
    publish(size);
    await nextTurn();
    while ([...streams].some((socket) => socket.writableLength > MAX_WAITING_BYTES)) await sleep(1);
  }
}

function chunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}
