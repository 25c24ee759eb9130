import type { PublicInvoiceView } from '@paywatch/domain/contract';
import { samplePicture } from '@paywatch/dev/testing';
import type { ServerResponse } from 'node:http';
import {
  startContractServer,
  type Handlers,
  type PageReader,
  type StreamHandlers,
} from '../contract-server.ts';
import { problem } from '../problem.ts';

/** Streams work, are buffered by a proxy, or are refused. */
type StreamMode = 'open' | 'silent' | 'refused';

/** The public API over invoices in memory: invoices, streams, fees. */
export function createPayerApi() {
  const invoices = new Map<string, PublicInvoiceView>();
  const listeners = new Map<string, Set<ServerResponse>>();
  const state = { streamMode: 'open' as StreamMode, isDown: false, reads: 0 };

  /** Stores an invoice under the next version and sends it to every open stream. */
  const put = (invoice: PublicInvoiceView): PublicInvoiceView => {
    const version = (invoices.get(invoice.public_id)?.version ?? 0) + 1;
    const stored = { ...invoice, version };
    invoices.set(invoice.public_id, stored);
    for (const response of listeners.get(invoice.public_id) ?? []) sendStatus(response, stored);
    return stored;
  };
  /** Closes every stream, like a replica that shuts down. */
  const dropStreams = () => {
    for (const responses of listeners.values()) for (const response of responses) response.destroy();
  };

  const handlers: Handlers = {
    getPublicInvoice: ({ params, request }) => {
      state.reads++;
      if (state.isDown) request.socket.destroy();
      const invoice = invoices.get(params['publicId'] ?? '');
      return invoice ? { status: 200, body: invoice } : problem('invoice_not_found');
    },
    getFeeEstimate: ({ params }) => ({
      status: 200,
      body: {
        currency: params['currency'],
        unit: params['currency'] === 'BTC' ? 'sat/vB' : 'litoshi/vB',
        fast: '12.5',
        normal: '8',
        economy: '2',
        target_blocks: { fast: 1, normal: 3, economy: 24 },
        estimated_at: new Date().toISOString(),
        stale: false,
      },
    }),
  };
  const streams: StreamHandlers = {
    getUpload: (_call, response) =>
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(samplePicture('png')),
    streamPublicInvoice: ({ params, request }, response) => {
      const publicId = params['publicId'] ?? '';
      const invoice = invoices.get(publicId);
      if (state.isDown) request.socket.destroy();
      else if (state.streamMode === 'refused' || invoice === undefined) response.writeHead(503).end();
      else {
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        if (state.streamMode === 'silent') return;
        response.write('retry: 300\n\n');
        sendStatus(response, invoice);
        const open = listeners.get(publicId) ?? new Set();
        listeners.set(publicId, open.add(response));
        response.on('close', () => open.delete(response));
      }
    },
  };
  return { invoices, state, put, dropStreams, handlers, streams };
}

function sendStatus(response: ServerResponse, invoice: PublicInvoiceView): void {
  response.write(`event: status\nid: ${invoice.version}\ndata: ${JSON.stringify(invoice)}\n\n`);
}

/** Starts a server with the payment page only. */
export async function startPayerServer() {
  const side = createPayerApi();
  const pages: PageReader = (path) => {
    const invoice = side.invoices.get(/^\/pay\/(\w+)$/.exec(path)?.[1] ?? '');
    return invoice === undefined ? null : { page: 'pay', invoice };
  };
  const server = await startContractServer({ ...side, pages });
  return { ...side, ...server };
}
