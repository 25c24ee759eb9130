import type { StartStep } from './route.ts';

/** One call in the ways that people make it. */
export type CodeSample = { readonly curl: string; readonly client: string };

/** What the examples are filled with: nothing in them is secret, the key is read from the environment. */
export type SampleValues = { readonly origin: string; readonly currency: string };

/** The calls that do what each step of the guided start does. Pure. */
export function codeSamples({ origin, currency }: SampleValues): Readonly<Record<StartStep, CodeSample>> {
  const client = clientOf(origin);
  return {
    key: {
      curl: curl('POST', `${origin}/v1/api-keys`, SESSION_HEADER, { scope: 'full' }),
      client: `${client}\n\n// The key is read from the environment of your server.\nconst { data } = await paywatch.listInvoices();`,
    },
    wallet: {
      curl: curl('POST', `${origin}/v1/wallets`, KEY_HEADER, { currency, xpub: 'zpub…' }),
      client: call(client, 'createWallet', `{ currency: '${currency}', xpub: 'zpub…' }`, 'wallet'),
    },
    verify: {
      curl: curl('POST', `${origin}/v1/wallets/${currency}/verify`, KEY_HEADER, { address: ADDRESS }),
      client: call(client, 'verifyWallet', `'${currency}', { address: '${ADDRESS}' }`, 'wallet'),
    },
    webhook: {
      curl: curl('POST', `${origin}/v1/webhooks`, KEY_HEADER, { url: ENDPOINT }),
      client: `${call(client, 'setWebhook', `{ url: '${ENDPOINT}' }`, '{ secret }')}\n\n${RECEIVER}`,
    },
    invoice: {
      curl: curl('POST', `${origin}/v1/invoices`, KEY_HEADER, { currency, ...ORDER }),
      client: call(client, 'createInvoice', `{\n  currency: '${currency}',\n${ORDER_LINES}\n}`, 'invoice'),
    },
  };
}

const KEY_HEADER = 'X-Api-Key: $PAYWATCH_API_KEY';
const SESSION_HEADER = 'Authorization: Bearer $PAYWATCH_SESSION';
const ADDRESS = 'the address that your wallet shows';
const ENDPOINT = 'https://shop.example/webhooks/paywatch';
const ORDER = { type: 'order', expected_amount: '123400', order_id: 'order-1001' };
const ORDER_LINES = Object.entries(ORDER)
  .map(([name, value]) => `  ${name}: '${value}',`)
  .join('\n');

const RECEIVER = `// In your endpoint, with the body exactly as it was received:
const event = await verifyWebhook(rawBody, request.headers['x-signature'], PAYWATCH_WEBHOOK_SECRET);
if (event.type === 'invoice.confirmed') deliver(event.data.invoice.order_id);`;

function clientOf(origin: string): string {
  return `import { Paywatch, verifyWebhook } from '@paywatch/client';

const paywatch = new Paywatch({
  url: '${origin}',
  apiKey: PAYWATCH_API_KEY,
});`;
}

function call(client: string, method: string, args: string, result: string): string {
  return `${client}\n\nconst ${result} = await paywatch.${method}(${args});`;
}

function curl(method: string, url: string, header: string, body: Readonly<Record<string, string>>): string {
  return [
    `curl -X ${method} ${url} \\`,
    `  -H "${header}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
