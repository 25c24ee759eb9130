/**
 * Many log in at once, and somebody guesses passwords meanwhile: logins are answered or asked to come again, guesses are limited,
 * and merchants who sell do not notice.
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

/** An account for everybody: so many tries for one at once would be refused as guesses are, though the password is right. */
export async function setup(): Promise<string[]> {
  const emails = Array.from({ length: PEOPLE }, (_, index) => `load-${Date.now()}-${index}@example.org`);
  for (const email of emails) {
    const params = { headers: fromAnywhere() };
    const response = await call('POST', '/v1/auth/register', { email, password: PASSWORD }, params);
    check(response, { 'is registered': ({ status }) => status === 201 });
  }
  return emails;
}

/** The line for hashes is short: who finds it full is told when to come again. */
export async function logIn(emails: readonly string[]): Promise<void> {
  const body = { email: emails[__VU % emails.length], password: PASSWORD };
  const params = { headers: fromAnywhere(), responseCallback: http.expectedStatuses(200, 503) };
  const response = await call('POST', '/v1/auth/login', body, params);
  if (response.status === 200) loggedIn.add(1);
  check(response, {
    'is logged in, or asked to come again': ({ status, headers }) =>
      status === 200 || (status === 503 && Number(headers['Retry-After']) >= 1),
  });
}

/** From ever other networks: the limit of the email holds all the same. */
export async function guess(): Promise<void> {
  const body = { email: GUESSED, password: `guess ${Math.random()}` };
  const params = { headers: fromAnywhere(), responseCallback: http.expectedStatuses(401, 429, 503) };
  const response = await call('POST', '/v1/auth/login', body, params);
  if (response.status === 429) limited.add(1);
  check(response, {
    'a guess learns nothing': (answer) =>
      ['invalid_credentials', 'rate_limited', 'service_unavailable'].includes(String(field(answer, 'code'))),
  });
}

export async function sell(): Promise<void> {
  check(await placeOrder(), { 'a merchant sells on': ({ status }) => status === 201 });
}
