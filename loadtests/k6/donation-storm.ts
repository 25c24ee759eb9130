/**
 * One network floods a donation link: its excess requests are rejected with a Retry-After, and neither other donors nor merchants
 * are affected.
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
/** An address reserved for documentation (RFC 5737). */
const FROM_ONE_NETWORK = { 'X-Forwarded-For': '198.51.100.7' };

export async function flood(): Promise<void> {
  const params = { headers: FROM_ONE_NETWORK, responseCallback: http.expectedStatuses(201, 422, 429) };
  const response = await call('POST', LINK, DONATION, params);
  if (response.status === 429) limited.add(1);
  check(response, {
    'is created, or rejected with Retry-After or a proof of work': ({ status, headers }) =>
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
  check(await placeOrder(), { 'a merchant still sells': ({ status }) => status === 201 });
}
