import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** Requests that run until `stop`. */
export type ConstantRequests = {
  /** Ends them. Returns how many there were, what failed, and the ids of the orders that were created. */
  stop(): Promise<{ count: number; failures: string[]; orders: string[] }>;
};

const PAUSE_MS = 40;
const ORDER = { currency: 'BTC', type: 'order', expected_amount: '250000' };
/** So many requests create the same order: the first creates it, the others return it. */
const REPEATS = 30;
const TIMEOUT_MS = 30_000;

/** Sends reads, writes and page views one after the other, in `lanes` lanes. Every response other than 2xx is a failure. */
export function startConstantRequests(
  url: string,
  { apiKey, payUrl, lanes = 3 }: { apiKey: string; payUrl: string; lanes?: number },
): ConstantRequests {
  const ending = new AbortController();
  const failures: string[] = [];
  const orders = new Set<string>();
  const batch = randomUUID();
  let count = 0;
  const order = async () => {
    const order_id = `${batch}-${Math.floor(count / REPEATS)}`;
    const answer = await post(`${url}/v1/invoices`, apiKey, { ...ORDER, order_id });
    const id = /"public_id":"(inv_\w+)"/.exec(answer.text)?.[1];
    if (id !== undefined) orders.add(id);
    return answer;
  };
  const requests = [() => get(`${url}/v1/invoices`, apiKey), order, () => get(payUrl, null)];
  const lane = async (first: number): Promise<void> => {
    for (let turn = first; !ending.signal.aborted; turn += 1) {
      const { failure } = await (requests[turn % requests.length] ?? order)();
      count += 1;
      if (failure !== null) failures.push(failure);
      await pause(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  return {
    stop: async () => {
      ending.abort();
      await running;
      return { count, failures, orders: [...orders] };
    },
  };
}

const get = (url: string, apiKey: string | null) => send(url, { headers: headersOf(apiKey) });

const post = (url: string, apiKey: string, body: unknown) =>
  send(url, {
    method: 'POST',
    headers: { ...headersOf(apiKey), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

function headersOf(apiKey: string | null): Record<string, string> {
  return apiKey === null ? {} : { 'x-api-key': apiKey };
}

type Outcome = { text: string; failure: string | null };

async function send(url: string, init: RequestInit): Promise<Outcome> {
  const what = `${init.method ?? 'GET'} ${new URL(url).pathname.replace(/inv_\w+/, 'INVOICE')}`;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    return { text, failure: response.ok ? null : `${what}: ${response.status} ${text.slice(0, 200)}` };
  } catch (error) {
    const { message, cause } = error as Error;
    return { text: '', failure: `${what}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}` };
  }
}
