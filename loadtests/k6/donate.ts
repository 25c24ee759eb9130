/**
 * Donors from many networks open a donation link, donate and open the payment page. While few addresses are free, each donor
 * solves the proof of work that the link requires, as the page does.
 */
import { check } from 'k6';
import type { Options } from 'k6/options';
import { atRate, call, env, field, fromAnywhere, proofAskedBy, RELIABLE } from './shop.ts';

export const options: Options = {
  scenarios: { donate: atRate(Math.ceil(env.rate / 5)) },
  thresholds: {
    ...RELIABLE,
    http_req_duration: ['p(95)<250', 'p(99)<1000'],
  },
};

export default async function donate(): Promise<void> {
  const headers = fromAnywhere();
  const path = `/v1/public/donate/${env.donateToken}`;
  const link = await call('GET', path, undefined, { headers });
  check(link, { 'the link accepts donations': (info) => field(info, 'accepting') === true });
  const donation = {
    currency: env.currency,
    amount: '10000',
    donor_name: 'Ann',
    donor_message: 'Good luck',
    ...proofAskedBy(link),
  };
  const made = await call('POST', path, donation, { headers });
  check(made, { 'the donation has a page': (answer) => typeof field(answer, 'pay_url') === 'string' });
  const page = await call('GET', `/v1/public/invoices/${String(field(made, 'public_id'))}`, undefined, {
    headers,
  });
  check(page, { 'the page shows the donor': (invoice) => field(invoice, 'donor_name') === 'Ann' });
}
