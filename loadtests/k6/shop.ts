import { sha256 } from 'k6/crypto';
import http, { type Params, type RefinedResponse } from 'k6/http';
import type { Scenario } from 'k6/options';

/** What a script asks with: see `npm run load`, which sets all of these. */
export const env = {
  baseUrl: required('BASE_URL'),
  /** Keys of merchants with a verified wallet each, by commas. */
  apiKeys: required('API_KEYS').split(','),
  currency: required('CURRENCY'),
  donateToken: required('DONATE_TOKEN'),
  /** Of a merchant whose wallet has a gap limit of 20, and its key as it was registered. */
  smallApiKey: required('SMALL_API_KEY'),
  smallXpub: required('SMALL_XPUB'),
  smallPath: required('SMALL_PATH'),
  /** Requests a second, and for how long. */
  rate: Number(__ENV['RATE'] ?? 50),
  duration: __ENV['DURATION'] ?? '30s',
};

/** What holds in every run: nothing fails that need not. */
export const RELIABLE = { checks: ['rate>0.999'], http_req_failed: ['rate<0.001'] };

/** So many begin in a second, however long each takes. */
export function atRate(rate: number): Scenario {
  return {
    executor: 'constant-arrival-rate',
    rate,
    timeUnit: '1s',
    duration: env.duration,
    preAllocatedVUs: env.rate,
  };
}

/** So many do the same again and again, each as fast as it is answered. */
export function byMany(vus: number, exec: string): Scenario {
  return { executor: 'constant-vus', vus, duration: env.duration, exec };
}

export type Response = RefinedResponse<'text'>;

/** Asks an operation of the API once. */
export function call(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  params: Params = {},
): Promise<Response> {
  const headers = {
    ...params.headers,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const sent = body === undefined ? null : JSON.stringify(body);
  return http.asyncRequest(method, `${env.baseUrl}${path}`, sent, {
    ...params,
    headers,
    responseType: 'text',
  });
}

/** Creates an order of the merchant with this key. Requests of one operation are one line in the results. */
export function placeOrder(apiKey = anyKey(), params: Params = {}): Promise<Response> {
  const order = { currency: env.currency, type: 'order', expected_amount: '150000' };
  return call('POST', '/v1/invoices', order, { ...params, headers: { 'X-Api-Key': apiKey } });
}

/** One of the merchants' keys. */
export function anyKey(): string {
  return env.apiKeys[Math.floor(Math.random() * env.apiKeys.length)] ?? '';
}

/** A field of an answer's JSON; undefined where it is none. */
export function field(response: Response, name: string): unknown {
  return response.status === 0 ? undefined : response.json(name);
}

/** A field of a donation where its link asks for it: a solution of its challenge, as the link's description in the API says. */
export function proofAskedBy(link: Response): { proof_of_work?: string } {
  const asked = field(link, 'proof_of_work') as { challenge: string; difficulty: number } | undefined;
  if (asked === undefined) return {};
  for (let number = 0; ; number += 1) {
    const proof = `${asked.challenge}.${number}`;
    const head = Number.parseInt(sha256(proof, 'hex').slice(0, 8), 16);
    if (Math.clz32(head) >= asked.difficulty) return { proof_of_work: proof };
  }
}

/** A header that makes the balancer's client another one: the limits of one network are not what is measured. */
export function fromAnywhere(): Record<string, string> {
  return { 'X-Forwarded-For': `93.${byte()}.${byte()}.${byte()}` };
}

function byte(): number {
  return Math.floor(Math.random() * 254) + 1;
}

function required(name: string): string {
  const value = __ENV[name];
  if (value === undefined) throw new Error(`${name} is not set: run this by "npm run load"`);
  return value;
}
