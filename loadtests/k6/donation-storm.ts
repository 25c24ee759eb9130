/**
 * Somebody floods a public donation link from one network: what is too much is limited and told when to come again, and neither
 * other donors nor the merchants whose addresses these are notice.
 */
import { check } from 'k6';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import {
  atRate,
  byMany,
  call,
  env,
  field,
  fromAnywhere,
  placeOrder,
  proofAskedBy,
  RELIABLE,
} from './shop.ts';

const limited = new Counter('donations_limited');

export const options: Options = {
  scenarios: {
    flood: byMany(20, 'flood'),
    donors: { ...atRate(1), exec: 'donate' },
    merchants: byMany(2, 'sell'),
  },
  thresholds: {
    ...RELIABLE,
    'http_req_duration{scenario:donors}': ['p(95)<500'],
    'http_req_duration{scenario:merchants}': ['p(95)<500'],
    donations_limited: ['count>0'],
  },
};

const LINK = `/v1/public/donate/${env.donateToken}`;
const DONATION = { currency: env.currency, amount: '10000' };
/** Of a range that nobody has. */
const FROM_ONE_NETWORK = { 'X-Forwarded-For': '198.51.100.7' };

export async function flood(): Promise<void> {
  const params = { headers: FROM_ONE_NETWORK, responseCallback: http.expectedStatuses(201, 422, 429) };
  const response = await call('POST', LINK, DONATION, params);
  if (response.status === 429) limited.add(1);
  check(response, {
    'is taken, or told when to come again, or what to do first': ({ status, headers }) =>
      status === 201 ||
      (status === 429 && Number(headers['Retry-After']) >= 1) ||
      field(response, 'code') === 'proof_of_work_required',
  });
}

export async function donate(): Promise<void> {
  const headers = fromAnywhere();
  const link = await call('GET', LINK, undefined, { headers });
  const response = await call('POST', LINK, { ...DONATION, ...proofAskedBy(link) }, { headers });
  check(response, { 'another donor gets a page': (made) => typeof field(made, 'pay_url') === 'string' });
}

export async function sell(): Promise<void> {
  check(await placeOrder(), { 'a merchant sells on': ({ status }) => status === 201 });
}
