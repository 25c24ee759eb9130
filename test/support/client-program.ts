/* Uses all features of the client in one of the supported runtimes, and prints the results as JSON. */

import { createPaywatch, InvoiceNotFoundError, verifyWebhook } from '@paywatch/client';

const { PAYWATCH_URL: baseUrl, PAYWATCH_API_KEY: apiKey } = process.env;
const { BODY: body = '', SIGNATURE: signature, SECRET: secret } = process.env;
const paywatch = createPaywatch({ baseUrl, apiKey });

const { public_id } = await paywatch.invoices.create({ currency: 'BTC', type: 'donation' });
const { status } = await paywatch.invoices.get(public_id);
const listed: string[] = [];
for await (const invoice of paywatch.invoices.list({ limit: 1 })) {
  listed.push(invoice.public_id);
  if (listed.length === 2) break;
}
const streamed: string[] = [];
for await (const { data } of paywatch.public.followInvoice(public_id, { lastEventId: '0' })) {
  streamed.push(data.status);
  break;
}
const refused = await paywatch.invoices.get('inv_1').catch((error: unknown) => error);
const event = await verifyWebhook(new TextEncoder().encode(body), signature, secret);
const forgery: unknown = await verifyWebhook(`${body} `, signature, secret).catch((error) => error.code);

process.stdout.write(
  JSON.stringify({
    status,
    streamed,
    listed: listed.indexOf(public_id),
    pages: listed.length,
    refused: refused instanceof InvoiceNotFoundError,
    event: event.id,
    forgery,
  }),
);
