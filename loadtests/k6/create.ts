/** Many merchants create orders at the same time: each order quickly gets an address. */
import { check } from 'k6';
import type { Options } from 'k6/options';
import { atRate, env, field, placeOrder, RELIABLE } from './shop.ts';

export const options: Options = {
  scenarios: { create: atRate(env.rate) },
  thresholds: {
    ...RELIABLE,
    http_req_duration: ['p(95)<250', 'p(99)<1000'],
  },
};

export default async function create(): Promise<void> {
  const response = await placeOrder();
  check(response, {
    'is created': ({ status }) => status === 201,
    'has an address and a page': (invoice) =>
      typeof field(invoice, 'address') === 'string' && typeof field(invoice, 'pay_url') === 'string',
  });
}
