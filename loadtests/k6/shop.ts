import { sha256 } from 'k6/crypto';
import http, { type Params, type RefinedResponse } from 'k6/http';
import type { Scenario } from 'k6/options';

/** Settings of a script; `npm run load` sets all of them. */
export const env = {
  baseUrl: required('BASE_URL'),
  /** API keys of merchants with a verified wallet, separated by commas. */
  apiKeys: required('API_KEYS').split(','),
  currency: required('CURRENCY'),
  donateToken: required('DONATE_TOKEN'),
  /** The overlay of the same merchant, and its control page. */
  overlayToken: required('OVERLAY_TOKEN'),
  controlToken: required('CONTROL_TOKEN'),
  /** A merchant whose wallet has a gap limit of 20: its API key, and its wallet as registered. */
  smallApiKey: required('SMALL_API_KEY'),
  smallXpub: required('SMALL_XPUB'),
  smallPath: required('SMALL_PATH'),
  /** Requests per second, and the duration. */
  rate: Number(__ENV['RATE'] ?? 50),
  duration: __ENV['DURATION'] ?? '30s',
};

/** Thresholds of every run. */
export const RELIABLE = { checks: ['rate>0.999'], http_req_failed: ['rate<0.001'] };

/** Starts `rate` iterations per second, however long each takes. */
export function atRate(rate: number): Scenario {
  return {
    executor: 'constant-arrival-rate',
    rate,
    timeUnit: '1s',
    duration: env.duration,
    preAllocatedVUs: env.rate,
  };
}

/** `vus` users, each of whom repeats the function without pause. */
export function byMany(vus: number, exec: string): Scenario {
  return { executor: 'constant-vus', vus, duration: env.duration, exec };
}

export type Response = RefinedResponse<'text'>;

/** Sends one API request. */
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

/** Creates an order of the merchant with this API key. */
export function placeOrder(apiKey = anyKey(), params: Params = {}): Promise<Response> {
  const order = { currency: env.currency, type: 'order', expected_amount: '150000' };
  return call('POST', '/v1/invoices', order, { ...params, headers: { 'X-Api-Key': apiKey } });
}

/** A random API key. */
export function anyKey(): string {
  return env.apiKeys[Math.floor(Math.random() * env.apiKeys.length)] ?? '';
}

/** A field of a response's JSON; undefined if the request failed. */
export function field(response: Response, name: string): unknown {
  return response.status === 0 ? undefined : response.json(name);
}

/** The donation's `proof_of_work` if the link requires one: a solution of its challenge. */
export function proofAskedBy(link: Response): { proof_of_work?: string } {
  const asked = field(link, 'proof_of_work') as { challenge: string; difficulty: number } | undefined;
  if (asked === undefined) return {};
  for (let number = 0; ; number += 1) {
    const proof = `${asked.challenge}.${number}`;
    const head = Number.parseInt(sha256(proof, 'hex').slice(0, 8), 16);
    if (Math.clz32(head) >= asked.difficulty) return { proof_of_work: proof };
  }
}

/** A header with a random client address, so that limits per network do not apply. */
export function fromAnywhere(): Record<string, string> {
  return { 'X-Forwarded-For': `93.${byte()}.${byte()}.${byte()}` };
}

function byte(): number {
  return Math.floor(Math.random() * 254) + 1;
}

function required(name: string): string {
  const value = __ENV[name];
  if (value === undefined) throw new Error(`${name} is not set: use "npm run load"`);
  return value;
}
