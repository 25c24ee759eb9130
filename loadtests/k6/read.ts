/** Payment pages and merchants' servers read the status of invoices. */
import { check } from 'k6';
import type { Options } from 'k6/options';
import { anyKey, atRate, call, env, field, fromAnywhere, placeOrder, RELIABLE } from './shop.ts';

const INVOICES = 20;

export const options: Options = {
  scenarios: { read: atRate(env.rate * 4) },
  thresholds: {
    ...RELIABLE,
    http_req_duration: ['p(95)<100', 'p(99)<500'],
  },
};

type Placed = { apiKey: string; publicId: string };

/** Creates the orders that are read. */
export async function setup(): Promise<Placed[]> {
  const placed: Placed[] = [];
  while (placed.length < INVOICES) {
    const apiKey = anyKey();
    placed.push({ apiKey, publicId: String(field(await placeOrder(apiKey), 'public_id')) });
  }
  return placed;
}

export default async function read(placed: Placed[]): Promise<void> {
  const { apiKey, publicId } = placed[Math.floor(Math.random() * placed.length)] ?? {
    apiKey: '',
    publicId: '',
  };
  const payer = await call('GET', `/v1/public/invoices/${publicId}`, undefined, { headers: fromAnywhere() });
  const owner = await call('GET', `/v1/invoices/${publicId}`, undefined, {
    headers: { 'X-Api-Key': apiKey },
  });
  for (const response of [payer, owner]) {
    check(response, {
      succeeds: ({ status }) => status === 200,
      'is the invoice': (invoice) => field(invoice, 'public_id') === publicId,
    });
  }
}
