import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventStream } from '../../src/streams/event-stream.ts';

const KIB = 1024;
const streams: { stream: EventStream; socket: Socket }[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const stream = EventStream.open(request, response, null);
    if (stream !== null) streams.push({ stream, socket: request.socket });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

test('a client that does not read is disconnected at about 128 KiB of backlog, not earlier', async () => {
  const client = await open();
  client.pause();
  const { stream, socket } = opened(0);
  const closed = new Promise<void>((resolve) => stream.onClose(resolve));
  const frame = Buffer.alloc(16 * KIB, 'x');
  let most = 0;
  while (stream.isOpen) {
    stream.write(frame);
    most = Math.max(most, socket.writableLength);
    await new Promise(setImmediate);
  }
  expect(most).toBeGreaterThan(128 * KIB);
  expect(most).toBeLessThanOrEqual(128 * KIB + frame.length);
  await closed;
  client.destroy();
});

test('a single message of any size reaches a client that reads', async () => {
  const client = await open();
  const { stream } = opened(1);
  let length = 0;
  client.on('data', (bytes: Buffer) => (length += bytes.length));
  const frame = Buffer.alloc(1024 * KIB, 'x');
  stream.write(frame);
  await stream.drained();
  expect(stream.isOpen).toBe(true);
  stream.end();
  await once(client, 'close');
  expect(length).toBeGreaterThan(frame.length);
});

test("a client that sends another request on its stream's connection is disconnected and cleaned up", async () => {
  const client = await open();
  const { stream } = opened(2);
  const released = new Promise<void>((resolve) => stream.onClose(resolve));
  client.resume().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all([once(client, 'close'), released]);
  expect(stream.isOpen).toBe(false);
  expect(streams).toHaveLength(3);
});

async function open(): Promise<Socket> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(client, 'readable');
  return client;
}

function opened(index: number) {
  const found = streams[index];
  if (found === undefined) throw new Error('the answer came before its stream');
  return found;
}
