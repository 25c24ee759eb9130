/**
 * A merchant creates more orders than the wallet's gap limit allows: further ones are rejected with `address_pool_busy` and a valid
 * Retry-After, other merchants are not affected, and orders succeed again once the limit is raised.
 */
import { check } from 'k6';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { setTimeout } from 'k6/timers';
import { byMany, call, env, field, placeOrder, RELIABLE, type Response } from './shop.ts';

const taken = new Counter('orders_taken');
const refused = new Counter('orders_refused');
const takenAgain = new Counter('orders_taken_after_recovery');

export const options: Options = {
  scenarios: {
    exhausted: byMany(10, 'exhaust'),
    others: byMany(2, 'sellElsewhere'),
  },
  thresholds: {
    ...RELIABLE,
    'http_req_duration{scenario:exhausted}': ['p(95)<250'],
    'http_req_duration{scenario:others}': ['p(95)<250'],
    orders_taken: ['count>0'],
    orders_refused: ['count>0'],
    orders_taken_after_recovery: ['count>0'],
  },
  teardownTimeout: '180s',
};

const expected = { responseCallback: http.expectedStatuses(201, 503) };

/** Creates orders until no address is left; all further responses are the same rejection. */
export async function exhaust(): Promise<void> {
  const response = await placeOrder(env.smallApiKey, expected);
  (response.status === 201 ? taken : refused).add(1);
  check(response, {
    'is created, or rejected correctly': (answer) => answer.status === 201 || isRefusal(answer),
  });
}

export async function sellElsewhere(): Promise<void> {
  check(await placeOrder(), { 'another merchant still sells': ({ status }) => status === 201 });
}

function isRefusal(response: Response): boolean {
  const retryAfter = Number(response.headers['Retry-After']);
  return (
    response.status === 503 &&
    field(response, 'code') === 'address_pool_busy' &&
    retryAfter >= 1 &&
    retryAfter <= 120
  );
}

/** Registers the same key with a larger limit, verifies it, then retries as Retry-After says. */
export async function teardown(): Promise<void> {
  const headers = { 'X-Api-Key': env.smallApiKey };
  const wallet = {
    currency: env.currency,
    xpub: env.smallXpub,
    derivation_path: env.smallPath,
    gap_limit: 200,
  };
  const registered = await call('POST', '/v1/wallets', wallet, { headers });
  const address = field(registered, 'verification_address');
  const verified = await call('POST', `/v1/wallets/${env.currency}/verify`, { address }, { headers });
  check(verified, { 'the limit is raised': ({ status }) => status === 200 });
  check(await untilTaken(), { 'orders succeed again': ({ status }) => status === 201 });
}

async function untilTaken(): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await placeOrder(env.smallApiKey, expected);
    if (response.status === 201) takenAgain.add(1);
    if (response.status === 201 || tries === 10) return response;
    await seconds(Number(response.headers['Retry-After']));
  }
}

function seconds(count: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, count * 1000));
}
