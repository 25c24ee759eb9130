import { freePort } from '@paywatch/dev/servers';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';

const attribute = z.object({ key: z.string(), value: z.object({ stringValue: z.string().optional() }) });
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(attribute),
});
const traces = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});
export type Span = z.infer<typeof span>;

/** The received spans, and every message as received. */
export type TraceCollector = { spans: readonly Span[]; raw: readonly string[]; url: string };

/** Starts a trace collector that records everything it receives. */
export async function startTraceCollector(parts: AsyncDisposableStack): Promise<TraceCollector> {
  const spans: Span[] = [];
  const raw: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      raw.push(JSON.stringify(body));
      for (const { scopeSpans } of traces.parse(body).resourceSpans)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.end('{}');
    });
  }).listen(await freePort(), '127.0.0.1');
  await once(server, 'listening');
  parts.defer(() => void server.close());
  const address = server.address();
  return { spans, raw, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}

/** Whether a span belongs to the request with this id. */
export function isOfRequest(requestId: string): (one: Span) => boolean {
  return ({ attributes }) =>
    attributes.some(({ key, value }) => key === 'paywatch.request_id' && value.stringValue === requestId);
}
