import { setTimeout as pause } from 'node:timers/promises';

/** Requests that run until `stop`. */
export type ConstantRequests = {
  /** Ends them, and returns how many there were and what failed. */
  stop(): Promise<{ count: number; failures: string[] }>;
};

const PAUSE_MS = 40;
const ORDER = { currency: 'BTC', type: 'order', expected_amount: '250000', order_id: 'during-the-upgrade' };
const TIMEOUT_MS = 30_000;

/** Sends reads, writes and page views one after the other, in `lanes` lanes. Every answer other than 2xx is a failure. */
export function startConstantRequests(
  url: string,
  { apiKey, payUrl, lanes = 3 }: { apiKey: string; payUrl: string; lanes?: number },
): ConstantRequests {
  const ending = new AbortController();
  const failures: string[] = [];
  let count = 0;
  const requests = [
    () => get(`${url}/v1/invoices`, apiKey),
    () => post(`${url}/v1/invoices`, apiKey, ORDER),
    () => get(payUrl, null),
  ];
  const lane = async (first: number): Promise<void> => {
    for (let turn = first; !ending.signal.aborted; turn += 1) {
      const failure = await (requests[turn % requests.length] ?? requests[0])?.();
      count += 1;
      if (failure) failures.push(failure);
      await pause(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  return {
    stop: async () => {
      ending.abort();
      await running;
      return { count, failures };
    },
  };
}

const get = (url: string, apiKey: string | null) => send(url, { headers: headersOf(apiKey) });

/** The same order each time: the first request creates it, later ones return it. */
const post = (url: string, apiKey: string, body: unknown) =>
  send(url, {
    method: 'POST',
    headers: { ...headersOf(apiKey), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

function headersOf(apiKey: string | null): Record<string, string> {
  return apiKey === null ? {} : { 'x-api-key': apiKey };
}

/** What failed, or null. */
async function send(url: string, init: RequestInit): Promise<string | null> {
  const what = `${init.method ?? 'GET'} ${new URL(url).pathname.replace(/inv_\w+/, 'INVOICE')}`;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    return response.ok ? null : `${what}: ${response.status} ${text.slice(0, 200)}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${what}: ${message}${cause instanceof Error ? ` (${cause.message})` : ''}`;
  }
}
