import type { Figure, Measure, Terminal } from '@paywatch/dev/commands';
import {
  createApiClient,
  type StackService,
  startStack,
  type Stack,
  runDemo,
  type DemoMerchant,
} from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';

import { openDatabase } from '@paywatch/store/postgres';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/*
 * Merchants create and read invoices, payers read theirs, and users log in through the balancer while every service is restarted, one
 * after another, as in a deployment. Each request must get its 2xx within a second.
 */

const REQUESTS = 20_000;
/** Rate of all callers together: realistic, but low enough that the machine itself causes no failures. */
const REQUESTS_PER_SECOND = 150;
const CALLERS = 10;
const PATIENCE_MS = 1000;
/** Gap limit: enough addresses for every creation, derived before the load starts. */
const ADDRESSES = 6000;
/** Like minReadySeconds: the balancer must detect the new process before the next one stops. */
const SETTLE_MS = 2000;

const ENV = {
  DRAIN_SECONDS: '2',
  DEFAULT_GAP_LIMIT: String(ADDRESSES),
  ACCOUNT_ADDRESSES: String(100 * ADDRESSES),
  PUBLIC_READ_LIMIT_POINTS: '1000000000',
  API_KEY_LIMIT_RATE: '1000000',
  API_KEY_LIMIT_BURST: '10000000',
  LOGIN_LIMIT_POINTS: '1000000000',
  LOG_LEVEL: 'warn',
};

export const run: Measure = async ({ share, terminal }) => {
  await using parts = new AsyncDisposableStack();
  const stack = await terminal.step('Starting two of every service', () =>
    startStack({
      ownServers: true,
      mweb: false,
      replicas: { api: 2, watcher: 2, webhookWorker: 2 },
      env: ENV,
    }),
  );
  parts.defer(stack.stop);
  const merchant = await terminal.step('A merchant takes two orders', () => runDemo(stack, silent));
  const total = Math.ceil(REQUESTS * share);
  await terminal.step('Deriving addresses', () => untilDerived(stack));
  const load = { ...newCounts(), total };
  const ending = new AbortController();
  const restarting = restartInTurn(stack, ending.signal, terminal);
  await Promise.all(
    Array.from({ length: CALLERS }, () => callOn(stack, merchant, load, restarting.isThrough)),
  );
  ending.abort();
  return judge(load, await restarting.count);
};

const silent: Terminal = { step: (_title, work) => work(), done: () => undefined, line: () => undefined };

/** Waits until all addresses of the pool are derived. */
async function untilDerived({ env }: Stack): Promise<void> {
  const store = openDatabase({
    url: env['DATABASE_URL'] ?? '',
    applicationName: 'paywatch-chaos',
    poolSize: 1,
  });
  await waitUntil(
    async () => {
      const [row] = await store.sql<{ derived: number }[]>`select min(derived_until) as derived from pools`;
      return (row?.derived ?? 0) > ADDRESSES;
    },
    { what: 'the addresses', everyMs: 500 },
  );
  await store.close();
}

type Restarting = { isThrough: () => boolean; count: Promise<number> };

/** Restarts the services one at a time, each at least once, until the signal aborts. */
function restartInTurn({ services }: Stack, signal: AbortSignal, terminal: Terminal): Restarting {
  const turn: StackService[] = [...services.api, ...services.watcher, ...services.webhookWorker];
  let restarts = 0;
  const count = (async () => {
    while (!signal.aborted || restarts < turn.length) {
      const service = turn[restarts % turn.length];
      if (service === undefined) throw new Error('the stack has no services');
      await terminal.step(`${service.name} is restarted`, () => service.restart());
      restarts += 1;
      await sleep(SETTLE_MS);
    }
    return restarts;
  })();
  return { isThrough: () => restarts >= turn.length, count };
}

type Load = {
  total: number;
  sent: number;
  failures: Map<string, number>;
  durationsMs: number[];
  startedMs: number;
};

function newCounts(): Omit<Load, 'total'> {
  return { sent: 0, failures: new Map(), durationsMs: [], startedMs: performance.now() };
}

/** One caller at its share of the rate, until all requests are made and every service was restarted. */
async function callOn(
  stack: Stack,
  merchant: DemoMerchant,
  load: Load,
  isThrough: () => boolean,
): Promise<void> {
  const call = createApiClient(stack.url);
  const requests = requestsOf(call, merchant);
  while (load.sent < load.total || !isThrough()) {
    const number = (load.sent += 1);
    const dueMs = load.startedMs + (number * 1000) / REQUESTS_PER_SECOND;
    await sleep(Math.max(0, dueMs - performance.now()));
    const [name, request] = pick(requests, number);
    const startedMs = performance.now();
    const failure = await failureOf(request());
    const durationMs = performance.now() - startedMs;
    load.durationsMs.push(durationMs);
    const reason = failure ?? (durationMs > PATIENCE_MS ? 'late' : null);
    if (reason !== null) note(load.failures, `${name}: ${reason}`);
  }
}

function note(failures: Map<string, number>, what: string): void {
  failures.set(what, (failures.get(what) ?? 0) + 1);
}

async function failureOf(request: Promise<unknown>): Promise<string | null> {
  return request.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

type Request = [name: string, send: () => Promise<unknown>];

/** The mix of a hundred requests: mostly reads, fifteen creations, one login. */
function pick(
  requests: { create: Request; read: Request; list: Request; stats: Request; login: Request },
  number: number,
): Request {
  const part = number % 100;
  if (part === 0) return requests.login;
  if (part < 16) return requests.create;
  if (part < 20) return requests.list;
  return part < 22 ? requests.stats : requests.read;
}

function requestsOf(
  call: ReturnType<typeof createApiClient>,
  { apiKey, email, password, payUrls }: DemoMerchant,
) {
  const as = { apiKey };
  const created = z.object({ public_id: z.string(), address: z.string() });
  let lastId = new URL(payUrls[0] ?? '').pathname.split('/').at(-1) ?? '';
  const create = async (): Promise<void> => {
    const body = { currency: 'LTC', type: 'order', expected_amount: '5000000' };
    lastId = (await call({ method: 'POST', path: '/v1/invoices', body, as }, created)).public_id;
  };
  const get = (path: string) => call({ method: 'GET', path, as }, z.unknown());
  const login = () =>
    call({ method: 'POST', path: '/v1/auth/login', body: { email, password } }, z.unknown());
  return {
    create: ['create', create],
    read: ['read', () => get(`/v1/public/invoices/${lastId}`)],
    list: ['list', () => get('/v1/invoices?limit=20')],
    stats: ['stats', () => get('/v1/stats')],
    login: ['login', login],
  } satisfies Record<string, Request>;
}

function judge({ sent, failures, durationsMs }: Load, restarts: number): Figure[] {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  const violations = [...failures.values()].reduce((sum, count) => sum + count, 0);
  return [
    { name: 'operations', value: sent },
    { name: 'faults', value: restarts },
    { name: 'p99_ms', value: sorted[Math.floor(sorted.length * 0.99)] ?? 0 },
    { name: 'slowest_ms', value: sorted.at(-1) ?? 0 },
    ...[...failures].map(([name, value]) => ({ name, value, reach: { atMost: 0 } })),
    { name: 'violations', value: violations, reach: { atMost: 0 } },
  ];
}
