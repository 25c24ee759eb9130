import { expect, test } from 'vitest';
import { createPaywatch, InvoiceNotFoundError } from '../src/index.ts';
import { problem, scriptedApi, type Answer } from './support/scripted-api.ts';

/** Writes the chunks one by one, then keeps the stream open, ends it, or destroys it. */
function stream(pieces: string[], after: 'stays' | 'ends' | 'breaks'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const write = (index: number): void => {
      const piece = pieces[index];
      if (piece !== undefined) response.write(piece, () => setImmediate(() => write(index + 1)));
      else if (after === 'ends') response.end();
      else if (after === 'breaks') response.destroy();
    };
    write(0);
  };
}

const noContent: Answer = (response) => void response.writeHead(204).end();
const message = (id: number) => `id: ${id}\nevent: status\ndata: {"version":${id}}\n\n`;

async function follow(answers: [Answer, ...Answer[]], lastEventId?: string) {
  const { url, seen } = await scriptedApi(...answers);
  const paywatch = createPaywatch({ baseUrl: url });
  const messages: unknown[] = [];
  const options = lastEventId === undefined ? {} : { lastEventId };
  for await (const one of paywatch.public.followInvoice('inv_1', options)) messages.push(one);
  return { messages, positions: seen.map(({ headers }) => headers['last-event-id']) };
}

test('a stream resumes after each lost connection, and ends with a 204', async () => {
  const { messages, positions } = await follow(
    [
      stream(['retry: 5\n\n', message(1), message(2)], 'breaks'),
      problem(503, 'service_unavailable', { 'retry-after': '0' }),
      stream(['retry: 5\n\n', message(3), 'id: 4\ndata: {"vers'], 'ends'),
      stream(['retry: 5\n\n', message(4)], 'ends'),
      noContent,
    ],
    '0',
  );
  expect(messages).toEqual([1, 2, 3, 4].map((version) => ({ id: String(version), data: { version } })));
  expect(positions).toEqual(['0', '2', '2', '3', '4']);
});

test('a position without a message is kept, so that the first message is not missed', async () => {
  const { positions } = await follow([
    stream(['retry: 5\nid: 7\n\n'], 'breaks'),
    stream([message(8)], 'ends'),
    noContent,
  ]);
  expect(positions).toEqual([undefined, '7', '8']);
});

test('messages are parsed across chunk boundaries, heartbeats and all line endings', async () => {
  const text = `: hello\n\nretry: 5\n\nid: 1\r\nevent: status\r\ndata: {"name":\r\ndata: "Zoë ☕\u2028"}\r\n\r\n: beat\n\n${message(2)}`;
  const { messages } = await follow([stream(Array.from(text), 'ends'), noContent]);
  expect(messages).toEqual([
    { id: '1', data: { name: 'Zoë ☕\u2028' } },
    { id: '2', data: { version: 2 } },
  ]);
});

test('leaving the loop closes the connection', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await scriptedApi((response) => {
    response.on('close', () => closed.resolve());
    stream([message(1)], 'stays')(response);
  });
  for await (const { id } of createPaywatch({ baseUrl: url }).public.followOverlay('token')) {
    expect(id).toBe('1');
    break;
  }
  await closed.promise;
});

test('aborting the signal rejects with its reason', async () => {
  const { url } = await scriptedApi(stream([message(1)], 'stays'));
  const leaving = new AbortController();
  const reason = new Error('the page was closed');
  const reading = async () => {
    const options = { signal: leaving.signal };
    const messages = createPaywatch({ baseUrl: url }).public.followOverlay('token', options);
    await messages.next();
    leaving.abort(reason);
    await messages.next();
  };
  await expect(reading()).rejects.toBe(reason);
});

test('an error that a retry cannot fix is thrown', async () => {
  await expect(follow([problem(404, 'invoice_not_found')])).rejects.toBeInstanceOf(InvoiceNotFoundError);
});
