/**
 * Many users log in at the same time while somebody guesses passwords: logins succeed or get a Retry-After, guesses are limited,
 * and selling merchants are not affected.
 */
import { check } from 'k6';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { byMany, call, field, fromAnywhere, placeOrder, RELIABLE } from './shop.ts';

const loggedIn = new Counter('logged_in');
const limited = new Counter('guesses_limited');

const PEOPLE = 30;

export const options: Options = {
  scenarios: {
    logins: byMany(PEOPLE, 'logIn'),
    guesses: byMany(5, 'guess'),
    merchants: byMany(2, 'sell'),
  },
  thresholds: {
    ...RELIABLE,
    'http_req_duration{scenario:merchants}': ['p(95)<500'],
    logged_in: ['count>0'],
    guesses_limited: ['count>0'],
  },
};

const PASSWORD = 'correct horse';
const GUESSED = 'nobody@example.org';

/** One account per user: this many logins to one account would be limited like guesses. */
export async function setup(): Promise<string[]> {
  const emails = Array.from({ length: PEOPLE }, (_, index) => `load-${Date.now()}-${index}@example.org`);
  for (const email of emails) {
    const params = { headers: fromAnywhere() };
    const response = await call('POST', '/v1/auth/register', { email, password: PASSWORD }, params);
    check(response, { 'is registered': ({ status }) => status === 201 });
  }
  return emails;
}

/** The queue for password hashes is short: a login that finds it full gets 503 with Retry-After. */
export async function logIn(emails: readonly string[]): Promise<void> {
  const body = { email: emails[__VU % emails.length], password: PASSWORD };
  const params = { headers: fromAnywhere(), responseCallback: http.expectedStatuses(200, 503) };
  const response = await call('POST', '/v1/auth/login', body, params);
  if (response.status === 200) loggedIn.add(1);
  check(response, {
    'is logged in, or rejected with Retry-After': ({ status, headers }) =>
      status === 200 || (status === 503 && Number(headers['Retry-After']) >= 1),
  });
}

/** Each guess comes from another network: the limit per email still applies. */
export async function guess(): Promise<void> {
  const body = { email: GUESSED, password: `guess ${Math.random()}` };
  const params = { headers: fromAnywhere(), responseCallback: http.expectedStatuses(401, 429, 503) };
  const response = await call('POST', '/v1/auth/login', body, params);
  if (response.status === 429) limited.add(1);
  check(response, {
    'a guess reveals nothing': (answer) =>
      ['invalid_credentials', 'rate_limited', 'service_unavailable'].includes(String(field(answer, 'code'))),
  });
}

export async function sell(): Promise<void> {
  check(await placeOrder(), { 'a merchant still sells': ({ status }) => status === 201 });
}
