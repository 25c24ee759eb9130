/**
 * Receives Paywatch webhooks. Run it behind a proxy that terminates TLS, with the endpoint's secret in PAYWATCH_SECRET:
 *
 *     PAYWATCH_SECRET=whsec_… PORT=3000 HANDLED=./handled node receiver.ts
 */
import { WebhookVerificationError, verifyWebhook, type WebhookEvent } from '@paywatch/client';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';

const MAX_BYTES = 1024 * 1024;
const secret = process.env['PAYWATCH_SECRET'];
const handledFolder = process.env['HANDLED'] ?? './handled';
await mkdir(handledFolder, { recursive: true });

createServer((request, response) => {
  receive(request).then(
    ([status, text]) => response.writeHead(status).end(text),
    // Paywatch retries after any status but 2xx: immediately, after 5 minutes, and so on for a week.
    () => response.writeHead(500).end('failed'),
  );
}).listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');

async function receive(request: IncomingMessage): Promise<[status: number, text: string]> {
  if (request.method !== 'POST') return [405, 'POST only'];
  const rawBody = await readRaw(request);
  if (rawBody === null) return [413, 'too long'];
  try {
    const event = await verifyWebhook(rawBody, String(request.headers['x-signature'] ?? ''), secret);
    return [200, (await handleOnce(event)) ? 'handled' : 'seen before'];
  } catch (error) {
    if (error instanceof WebhookVerificationError) return [400, error.message];
    throw error;
  }
}

/** Reads the raw body. The signature covers these bytes; JSON that was parsed and serialized again does not match. */
async function readRaw(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Deliveries repeat. This example marks processed events with files. A shop stores their ids in a unique column, in the
 * same transaction as the shipment, so that both are committed or neither is.
 */
async function handleOnce(event: WebhookEvent): Promise<boolean> {
  const mark = join(handledFolder, encodeURIComponent(event.id));
  try {
    await writeFile(mark, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    handle(event);
  } catch (error) {
    await rm(mark);
    throw error;
  }
  return true;
}

function handle({ type, data, test }: WebhookEvent): void {
  if (test === true) return;
  if (type === 'invoice.confirmed') console.log(`ship order ${data.invoice.order_id ?? ''}`);
}
