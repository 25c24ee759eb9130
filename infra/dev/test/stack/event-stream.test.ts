import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createEventParser, openEventStream, type StreamEvent } from '../../src/stack/event-stream.ts';
import { freePort } from '../../src/servers/free-port.ts';

describe('the parser of server-sent events', () => {
  const text =
    ': hello\nretry: 3000\n\nevent: status\nid: 7\ndata: {"a":\ndata: 1}\n\ndata:bare\n\nevent: half';
  const expected: StreamEvent[] = [
    { event: 'status', data: '{"a":\n1}', id: '7' },
    { event: 'message', data: 'bare', id: undefined },
  ];

  test.each([1, 2, 3, 7, 1000])(
    'parses the same events from chunks of %i characters, and ignores an incomplete one',
    (size) => {
      expect(parseInPieces(text, size)).toEqual(expected);
    },
  );

  test('accepts CRLF line breaks', () => {
    expect(parseInPieces(text.replaceAll('\n', '\r\n'), 1000)).toEqual(expected);
  });
});

describe('an open stream', () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  test('finds received and future events', async () => {
    const url = await serve((_, response) => {
      response.write('data: early\n\n');
      setTimeout(() => response.write('data: late\n\n'), 50);
    });
    const stream = await openEventStream(url);
    expect(await stream.waitFor(({ data }) => data === 'late')).toMatchObject({ data: 'late' });
    expect(await stream.waitFor(({ data }) => data === 'early')).toMatchObject({ data: 'early' });
    stream.close();
    await stream.ended;
  });

  test('rejects when the stream ends without the event', async () => {
    const stream = await openEventStream(await serve((_, response) => response.end('data: only\n\n')));
    await expect(stream.waitFor(({ data }) => data === 'other')).rejects.toThrow(/ended without/);
  });

  test('requests the events after the last one', async () => {
    const url = await serve((request, response) =>
      response.end(`data: ${String(request.headers['last-event-id'])}\n\n`),
    );
    const stream = await openEventStream(url, { lastEventId: '41' });
    expect(await stream.waitFor(() => true)).toMatchObject({ data: '41' });
  });

  async function serve(listener: RequestListener): Promise<string> {
    const port = await freePort();
    server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      listener(request, response);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${port}/`;
  }
});

function parseInPieces(text: string, size: number): StreamEvent[] {
  const events: StreamEvent[] = [];
  const parse = createEventParser((event) => events.push(event));
  for (let start = 0; start < text.length; start += size) parse(text.slice(start, start + size));
  return events;
}
