import { chunkText } from '@paywatch/domain';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventStream } from '../src/streams/event-stream.ts';
import { frameOf } from '../src/streams/frame.ts';

const KIB = 1024;
const streams: { stream: EventStream; socket: Socket }[] = [];
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    const stream = EventStream.open(request, response, Date.now());
    if (stream !== null) streams.push({ stream, socket: request.socket });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

test('a client that does not read is cut off once 128 KiB wait for it, not before and hardly later', async () => {
  const client = await open();
  client.pause();
  const { stream, socket } = opened(0);
  const closed = new Promise<void>((resolve) => stream.onClose(resolve));
  const frame = frameOf('x'.repeat(16 * KIB));
  let most = 0;
  while (stream.isOpen) {
    stream.write(frame);
    most = Math.max(most, socket.writableLength);
    await new Promise(setImmediate);
  }
  expect(most).toBeGreaterThan(128 * KIB);
  expect(most).toBeLessThanOrEqual(128 * KIB + frame.chunk.length);
  await closed;
  client.destroy();
});

test('one message of any size reaches a client that reads', async () => {
  const client = await open();
  const { stream } = opened(1);
  let length = 0;
  client.on('data', (bytes: Buffer) => (length += bytes.length));
  const frame = frameOf('x'.repeat(1024 * KIB));
  stream.write(frame);
  await stream.drained();
  expect(stream.isOpen).toBe(true);
  stream.end();
  await once(client, 'close');
  expect(length).toBeGreaterThan(frame.chunk.length);
});

test('what has to wait for a client is a copy where it came as a part of something larger', async () => {
  const client = await open();
  client.pause();
  const { stream, socket } = opened(2);
  const frame = frameOf('x'.repeat(16 * KIB));
  while (socket.writableLength === 0) {
    stream.write(frame);
    await new Promise(setImmediate);
  }
  const publications = Buffer.from(`one ${chunkText('data: 1\n\n')} another`);
  stream.write({ chunk: publications.subarray(4, -8), isPart: true });
  publications.fill('?');
  let text = '';
  client.setEncoding('utf8').on('data', (part: string) => (text += part));
  client.resume();
  stream.end();
  await once(client, 'close');
  expect(text.endsWith(`x\r\n${chunkText('data: 1\n\n')}0\r\n\r\n`)).toBe(true);
});

test('a client that asks again on the connection of its stream is cut off, and leaves nothing', async () => {
  const client = await open();
  const { stream } = opened(3);
  const released = new Promise<void>((resolve) => stream.onClose(resolve));
  client.resume().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await Promise.all([once(client, 'close'), released]);
  expect(stream.isOpen).toBe(false);
  expect(streams).toHaveLength(4);
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
