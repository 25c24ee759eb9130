import type { StartStep } from '../../app/route.ts';

/** One API call as curl and as TypeScript. */
export type CodeSample = { readonly curl: string; readonly typescript: string };

/** The values in the samples. Keys are referenced by environment variable, so no sample contains a secret. */
export type SampleValues = {
  readonly origin: string;
  readonly currency: string;
  /** The webhook endpoint. */
  readonly endpoint?: string;
};

type Call = {
  path: string;
  header: readonly [name: string, value: string];
  body: Readonly<Record<string, string>>;
  /** The client's method call up to its body. */
  method: string;
};

/** The API call of each step of the guided setup. Pure. */
export function codeSamples({
  origin,
  currency,
  endpoint = 'https://shop.example/webhooks/paywatch',
}: SampleValues): Readonly<Record<StartStep, CodeSample>> {
  const sample = (call: Call): CodeSample => ({
    curl: curl(origin, call),
    typescript: typescript(origin, call),
  });
  const webhook = sample({
    path: '/v1/webhooks',
    header: KEY,
    body: { url: endpoint },
    method: 'webhooks.set(',
  });
  return {
    key: sample({
      path: '/v1/api-keys',
      header: SESSION,
      body: { scope: 'full' },
      method: 'apiKeys.create(',
    }),
    wallet: sample({
      path: '/v1/wallets',
      header: KEY,
      body: { currency, xpub: 'zpub…' },
      method: 'wallets.create(',
    }),
    verify: sample({
      path: `/v1/wallets/${currency}/verify`,
      header: KEY,
      body: { address: 'the address that your wallet shows' },
      method: `wallets.verify('${currency}', `,
    }),
    webhook: { ...webhook, typescript: `${webhook.typescript}\n\n${RECEIVER}` },
    invoice: sample({
      path: '/v1/invoices',
      header: KEY,
      body: { currency, ...ORDER },
      method: 'invoices.create(',
    }),
  };
}

const KEY = ['X-Api-Key', 'PAYWATCH_API_KEY'] as const;
const SESSION = ['Authorization', 'Bearer PAYWATCH_SESSION'] as const;
const ORDER = { type: 'order', expected_amount: '123400', order_id: 'order-1001' };

const RECEIVER = `// In your endpoint, with the body exactly as it was received:
import { verifyWebhook } from '@paywatch/client';

const signature = request.headers['x-signature'];
const event = await verifyWebhook(rawBody, signature, env.PAYWATCH_WEBHOOK_SECRET);
if (event.type === 'invoice.confirmed') deliver(event.data.invoice.order_id);`;

function curl(origin: string, { path, header: [name, value], body }: Call): string {
  return [
    `curl ${origin}${path} \\`,
    `  -H "${name}: ${value.replace('PAYWATCH_', '$PAYWATCH_')}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}

function typescript(origin: string, { header, body, method }: Call): string {
  const credentials =
    header === SESSION ? 'sessionToken: env.PAYWATCH_SESSION' : 'apiKey: env.PAYWATCH_API_KEY';
  const lines = Object.entries(body).map(([field, text]) => `  ${field}: '${text}',`);
  return `import { env } from 'node:process';
import { createPaywatch } from '@paywatch/client';

const paywatch = createPaywatch({
  baseUrl: '${origin}',
  ${credentials},
});
const answer = await paywatch.${method}{
${lines.join('\n')}
});`;
}
