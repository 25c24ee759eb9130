import { waitUntil } from '@paywatch/dev/testing';
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { randomAddress } from './api.ts';

/** A message as a browser's EventSource would see it; `data` parsed. */
type ReceivedMessage = { event: string; id: string; data: Record<string, unknown> };

/** A client of an event stream that keeps all it was sent. */
export type StreamClient = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Dispatched messages, in order. */
  messages: ReceivedMessage[];
  /** What Last-Event-ID would be after a reconnect. */
  lastEventId: string;
  retryMs: number | null;
  comments: number;
  isEnded: boolean;
  /** Waits until so many messages have come. */
  received(count: number): Promise<unknown>;
  ended(): Promise<unknown>;
  close(): void;
};

/** Opens a stream and closes it at the end of the test; `status` is that of a response without a stream. */
export async function openStream(
  url: string,
  options: { lastEventId?: string | undefined; from?: string } = {},
): Promise<StreamClient> {
  const sent = request(url, {
    agent: false,
    headers: {
      'X-Forwarded-For': options.from ?? randomAddress(),
      Accept: 'text/event-stream',
      ...(options.lastEventId === undefined ? {} : { 'Last-Event-ID': options.lastEventId }),
    },
  }).end();
  onTestFinished(() => void sent.destroy());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const client: StreamClient = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    messages: [],
    lastEventId: '',
    retryMs: null,
    comments: 0,
    isEnded: false,
    received: (count) =>
      waitUntil(async () => client.messages.length >= count, { what: `${count} messages`, everyMs: 5 }),
    ended: () => waitUntil(async () => client.isEnded, { what: 'the end of the stream', everyMs: 5 }),
    close: () => sent.destroy(),
  };
  read(response, client);
  return client;
}

/** The ids of all messages, in order. */
export function idsOf(client: StreamClient): string[] {
  return client.messages.map((message) => message.id);
}

function read(response: IncomingMessage, client: StreamClient): void {
  let waiting = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const blocks = (waiting + text).split('\n\n');
    waiting = blocks.pop() ?? '';
    for (const block of blocks) readBlock(block, client);
  });
  response.on('error', () => undefined); // A client that goes away is cut off in the middle of its answer.
  response.on('close', () => (client.isEnded = true));
}

function readBlock(block: string, client: StreamClient): void {
  const message = { event: 'message', data: '' };
  for (const line of block.split('\n')) {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === '') client.comments += 1;
    if (field === 'retry') client.retryMs = Number(value);
    if (field === 'id') client.lastEventId = value;
    if (field === 'event') message.event = value;
    if (field === 'data') message.data += value;
  }
  if (message.data === '') return;
  client.messages.push({ event: message.event, id: client.lastEventId, data: JSON.parse(message.data) });
}
