import type { StartStep } from './route.ts';

/** One call in the ways that people make it. */
export type CodeSample = { readonly curl: string; readonly typescript: string };

/** What the examples are filled with: nothing in them is secret, keys stay names. */
export type SampleValues = { readonly origin: string; readonly currency: string };

type Call = {
  path: string;
  header: readonly [name: string, value: string];
  body: Readonly<Record<string, string>>;
};

/** The calls that do what each step of the guided start does. Pure. */
export function codeSamples({ origin, currency }: SampleValues): Readonly<Record<StartStep, CodeSample>> {
  const webhook = sampleOf(origin, { path: '/v1/webhooks', header: KEY, body: { url: ENDPOINT } });
  return {
    key: sampleOf(origin, { path: '/v1/api-keys', header: SESSION, body: { scope: 'full' } }),
    wallet: sampleOf(origin, { path: '/v1/wallets', header: KEY, body: { currency, xpub: 'zpub…' } }),
    verify: sampleOf(origin, {
      path: `/v1/wallets/${currency}/verify`,
      header: KEY,
      body: { address: 'the address that your wallet shows' },
    }),
    webhook: { ...webhook, typescript: `${webhook.typescript}\n\n${RECEIVER}` },
    invoice: sampleOf(origin, { path: '/v1/invoices', header: KEY, body: { currency, ...ORDER } }),
  };
}

const KEY = ['X-Api-Key', 'PAYWATCH_API_KEY'] as const;
const SESSION = ['Authorization', 'Bearer PAYWATCH_SESSION'] as const;
const ENDPOINT = 'https://shop.example/webhooks/paywatch';
const ORDER = { type: 'order', expected_amount: '123400', order_id: 'order-1001' };

const RECEIVER = `// In your endpoint, with the body exactly as it was received:
import { verifyWebhook } from '@paywatch/client';

const event = await verifyWebhook(rawBody, request.headers['x-signature'], PAYWATCH_WEBHOOK_SECRET);
if (event.type === 'invoice.confirmed') deliver(event.data.invoice.order_id);`;

function sampleOf(origin: string, call: Call): CodeSample {
  return { curl: curl(origin, call), typescript: typescript(origin, call) };
}

function curl(origin: string, { path, header: [name, value], body }: Call): string {
  return [
    `curl ${origin}${path} \\`,
    `  -H "${name}: ${value.replace('PAYWATCH_', '$PAYWATCH_')}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}

function typescript(origin: string, { path, header: [name, value], body }: Call): string {
  const lines = Object.entries(body).map(([field, text]) => `    ${field}: '${text}',`);
  const secret = value.startsWith('Bearer ')
    ? `\`${value.replace(/PAYWATCH_\w+/, (found) => `\${${found}}`)}\``
    : value;
  return `const response = await fetch('${origin}${path}', {
  method: 'POST',
  headers: { '${name}': ${secret}, 'Content-Type': 'application/json' },
  body: JSON.stringify({
${lines.join('\n')}
  }),
});
const answer = await response.json();`;
}
