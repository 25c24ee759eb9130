/** Payment pages and merchants' servers read the status of invoices. */
import { check } from 'k6';
import http from 'k6/http';
import { Trend } from 'k6/metrics';
import type { Options } from 'k6/options';
import {
  anyKey,
  atRate,
  call,
  env,
  field,
  fromAnywhere,
  placeOrder,
  RELIABLE,
  type Response,
} from './shop.ts';

const INVOICES = 20;

export const options: Options = {
  scenarios: { read: atRate(env.rate * 4) },
  thresholds: {
    ...RELIABLE,
    read_beyond_echo: ['p(95)<100', 'p(99)<500'],
  },
};

/**
 * How much longer a read takes than a request of the same moment that reads nothing: it is what Paywatch adds. The whole duration also
 * depends on how busy the machine is with sending the load.
 */
const beyondEcho = new Trend('read_beyond_echo', true);

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
  const payer = await besideEcho(() =>
    call('GET', `/v1/public/invoices/${publicId}`, undefined, { headers: fromAnywhere() }),
  );
  const owner = await besideEcho(() =>
    call('GET', `/v1/invoices/${publicId}`, undefined, { headers: { 'X-Api-Key': apiKey } }),
  );
  for (const response of [payer, owner]) {
    check(response, {
      succeeds: ({ status }) => status === 200,
      'is the invoice': (invoice) => field(invoice, 'public_id') === publicId,
    });
  }
}

/** Sends a read and an echo concurrently: the method of the echo is refused (405) before anything is read. */
async function besideEcho(send: () => Promise<Response>): Promise<Response> {
  const params = { responseCallback: http.expectedStatuses(405) };
  const [response, echo] = await Promise.all([send(), call('POST', '/v1/public/fee/BTC', undefined, params)]);
  beyondEcho.add(Math.max(0, response.timings.duration - echo.timings.duration));
  return response;
}
