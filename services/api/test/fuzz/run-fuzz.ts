import type { TestServers } from '@paywatch/dev/servers';
import { createSeededRandom } from '@paywatch/dev/testing';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { faultOfAnswer } from './judge-answer.ts';
import { fuzzTargets, makeRequest } from './make-request.ts';
import { RawClient, type RawAnswer, type RawRequest } from './raw-client.ts';
import { createFuzzWorld, openFuzzStore, shortenAuditLog } from './world.ts';

export type FuzzOptions = {
  servers: TestServers;
  seed: number;
  /** Asked after every batch. */
  isOver: (requests: number, elapsedMs: number) => boolean;
  /** Called for every request with a wrong response. */
  onViolation: (violation: string) => void;
};

/** What `npm run fuzz` prints. */
export type FuzzResult = {
  requests: number;
  slowest_ms: number;
  /** The most CPU time of the main thread that one request took. */
  longest_stall_ms: number;
  violations: number;
};

/** Sent at once, each over a connection of its own. */
const BATCH = 48;
const MAX_CPU_MS = 20;
const MAX_ANSWER_MS = 1000;
/**
 * What the reference work of the replica costs on a machine with nothing else to do. Where it costs more, other processes use caches
 * and cores too, or the machine is slow, and a request costs more for the same reason.
 */
const REFERENCE_MS = 12;
/** What the collector, the compiler and other processes add is not there each time. */
const REPEATS = 3;
/** A batch that costs this much more CPU than most is examined: one of its requests may have cost MAX_CPU_MS. */
const CONSPICUOUS_MS = 15;
/** On a machine where even this response takes long, a late response proves nothing about its request. */
const CONTROL: RawRequest = {
  method: 'GET',
  path: '/v1/nothing',
  headers: [['Host', 'pay.example']],
  body: null,
};
const LATER_THAN_CONTROL = 20;

/** Attacks every operation of the contract, on one replica of the API in a process of its own. */
export async function runFuzz({ servers, seed, isOver, onViolation }: FuzzOptions): Promise<FuzzResult> {
  await using parts = new AsyncDisposableStack();
  const store = openFuzzStore(servers);
  parts.defer(() => store.close());
  const world = await createFuzzWorld(store);
  const replica = await startReplica(servers);
  const clients = Array.from({ length: BATCH }, () => new RawClient(replica.port));
  const random = createSeededRandom(seed);
  const targets = fuzzTargets();
  const batchCosts: number[] = [];
  const result: FuzzResult = { requests: 0, slowest_ms: 0, longest_stall_ms: 0, violations: 0 };
  const blame = (request: RawRequest, fault: string): void => {
    result.violations += 1;
    onViolation(`${fault}: ${describe(request)}`);
  };
  try {
    const startedAtMs = performance.now();
    while (!isOver(result.requests, performance.now() - startedAtMs)) {
      const requests = clients.map(() => makeRequest(random, random.pick(targets), world));
      await shortenAuditLog(store);
      const { answers, cpuMs } = await measureCpu(replica.child, () => sendAll(clients, requests));
      result.requests += requests.length;
      for (const [index, request] of requests.entries()) {
        const answer = answers[index];
        const fault = answer && faultOfAnswer(answer);
        if (fault) blame(request, fault);
      }
      const cost = { cpuMs, ms: Math.max(...answers.map(({ ms }) => ms)) };
      const isConspicuous = (each: Cost) =>
        each.cpuMs > median(batchCosts) + CONSPICUOUS_MS || each.ms > MAX_ANSWER_MS;
      const again = isConspicuous(cost) ? await costOf(replica, requests, REPEATS) : cost;
      const costs = isConspicuous(again) ? await findCosts(replica, requests, again) : [];
      batchCosts.push(cpuMs);
      for (const { request, cpuMs: alone, ms } of costs) {
        if (alone > MAX_CPU_MS) blame(request, `${Math.round(alone)} ms of CPU`);
        if (ms > MAX_ANSWER_MS) blame(request, `${Math.round(ms)} ms until the answer`);
      }
      result.longest_stall_ms = Math.max(
        result.longest_stall_ms,
        cpuMs / BATCH,
        ...costs.map((one) => one.cpuMs),
      );
      result.slowest_ms = Math.max(
        result.slowest_ms,
        costs.length > 0 ? 0 : again.ms,
        ...costs.map(({ ms }) => ms),
      );
    }
    return result;
  } finally {
    for (const client of clients) client.close();
    await replica.stop();
  }
}

/** Of the last hundred. */
function median(values: readonly number[]): number {
  const sorted = values.slice(-100).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function sendAll(clients: readonly RawClient[], requests: readonly RawRequest[]): Promise<RawAnswer[]> {
  return Promise.all(
    clients.flatMap((client, index) => {
      const request = requests[index];
      return request === undefined ? [] : [client.send(request)];
    }),
  );
}

type Cost = { cpuMs: number; ms: number };

/**
 * What the requests of a batch cost. Together they cost at least what one of them does, so a cheap batch needs no second look;
 * of an expensive one each half is sent again, down to single requests.
 */
async function findCosts(
  replica: Replica,
  requests: readonly RawRequest[],
  together: Cost,
): Promise<(Cost & { request: RawRequest })[]> {
  const [first] = requests;
  if (first === undefined) return [];
  if (together.cpuMs <= MAX_CPU_MS && together.ms <= MAX_ANSWER_MS)
    return [{ request: first, cpuMs: together.cpuMs / requests.length, ms: together.ms }];
  if (requests.length === 1) return [{ request: first, ...(await costOfOne(replica, first)) }];
  const middle = Math.ceil(requests.length / 2);
  const found = [];
  for (const half of [requests.slice(0, middle), requests.slice(middle)])
    found.push(...(await findCosts(replica, half, await costOf(replica, half, 1))));
  return found;
}

/** What one request costs, as on an idle machine. */
async function costOfOne(replica: Replica, request: RawRequest): Promise<Cost> {
  const cost = await costOf(replica, [request], REPEATS);
  return { ...cost, cpuMs: cost.cpuMs / (await slownessOf(replica)) };
}

/** Sends the requests several times and returns the lowest cost, which no other load of the machine has raised. */
async function costOf(replica: Replica, requests: readonly RawRequest[], repeats: number): Promise<Cost> {
  const least: Cost = { cpuMs: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const sent = [...requests, CONTROL];
    const clients = sent.map(() => new RawClient(replica.port));
    const { answers, cpuMs } = await measureCpu(replica.child, () => sendAll(clients, sent));
    for (const client of clients) client.close();
    const controlMs = answers.at(-1)?.ms ?? 0;
    const ms = Math.max(...answers.map((answer) => answer.ms));
    least.cpuMs = Math.min(least.cpuMs, cpuMs);
    least.ms = Math.min(least.ms, ms > LATER_THAN_CONTROL * controlMs ? ms : 0);
  }
  return least;
}

/** CPU time of the replica's main thread while `send` runs. */
async function measureCpu(replica: ChildProcess, send: () => Promise<RawAnswer[]>) {
  replica.send('begin');
  const answers = await send();
  return { answers, cpuMs: await cpuReply(replica, 'end') };
}

/** How much more CPU time than on an idle machine everything costs at the moment; at least 1. */
async function slownessOf({ child }: Replica): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < REPEATS; repeat += 1)
    leastMs = Math.min(leastMs, await cpuReply(child, 'reference'));
  return Math.max(1, leastMs / REFERENCE_MS);
}

async function cpuReply(replica: ChildProcess, request: 'end' | 'reference'): Promise<number> {
  const replied = once(replica, 'message');
  replica.send(request);
  const [message] = await replied;
  return Number(message.cpuMs);
}

const NO_LIMIT = '10000000';
const UNLIMITED = [
  'LOGIN_LIMIT_POINTS',
  'LOGIN_EMAIL_LIMIT_POINTS',
  'REGISTER_LIMIT_POINTS',
  'PASSWORD_CHANGE_LIMIT_POINTS',
  'ACCOUNT_LIMIT_POINTS',
  'PROJECT_CHANGE_LIMIT_POINTS',
  'REDELIVERY_LIMIT_POINTS',
  'EXPORT_LIMIT_POINTS',
  'UPLOAD_LIMIT_POINTS',
  'UNKNOWN_CREDENTIAL_LIMIT_POINTS',
  'DONATION_LIMIT_POINTS',
  'PUBLIC_READ_LIMIT_POINTS',
  'API_KEY_LIMIT_BURST',
];

type Replica = { child: ChildProcess; port: number; stop: () => Promise<void> };

async function startReplica(servers: TestServers): Promise<Replica> {
  const child = fork(fileURLToPath(new URL('replica.ts', import.meta.url)), {
    env: environment(servers),
    execArgv: [],
  });
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the replica ended with ${code}`))),
  ]);
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return { child, port: Number(message.port), stop };
}

/** Nothing is refused for its rate: a request that is would not be tried. */
function environment(servers: TestServers): NodeJS.ProcessEnv {
  const unlimited = UNLIMITED.map((name) => [name, NO_LIMIT]);
  return {
    ...process.env,
    DATABASE_URL: servers.databaseUrl,
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: servers.redisPrefix,
    PUBLIC_URL: 'https://pay.example',
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    BTC_NODE_URL: 'http://node.example',
    LTC_NODE_URL: 'http://node.example',
    WEBHOOK_ALLOWED_HOSTS: 'shop.example',
    // Nothing responds there: no name leaves this machine.
    WEBHOOK_DNS_SERVERS: '127.0.0.1:9',
    PASSWORD_HASHES_AT_ONCE: '64',
    WEB_DIST: '/nonexistent',
    ...Object.fromEntries(unlimited),
  };
}

function describe({ method, path, headers, body }: RawRequest): string {
  const shown = JSON.stringify({
    path: path.slice(0, 120),
    headers: headers.map(([name, value]) => `${name}: ${value.slice(0, 40)}`).slice(0, 12),
    body: body?.toString().slice(0, 200),
    bytes: body?.length,
  });
  return `${method} ${shown}`;
}
