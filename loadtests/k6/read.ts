/** Payers' pages and merchants' servers ask for the status of invoices. */
import { check } from 'k6';
import type { Options } from 'k6/options';
import { anyKey, call, env, field, fromAnywhere, placeOrder } from './shop.ts';

const INVOICES = 20;

export const options: Options = {
  scenarios: {
    read: {
      executor: 'constant-arrival-rate',
      rate: env.rate * 4,
      timeUnit: '1s',
      duration: env.duration,
      preAllocatedVUs: env.rate,
    },
  },
  thresholds: {
    checks: ['rate>0.999'],
    http_req_failed: ['rate<0.001'],
    http_req_duration: ['p(95)<100', 'p(99)<500'],
  },
};

type Placed = { apiKey: string; publicId: string };

/** Orders to be asked for. */
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
      'is answered': ({ status }) => status === 200,
      'is the invoice': (invoice) => field(invoice, 'public_id') === publicId,
    });
  }
}
