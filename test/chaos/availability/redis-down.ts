import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import type { Merchant } from '@paywatch/dev/stack';
import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import { setApiStage, type ApiStage } from '../shared/api-stage.ts';
import { ask, type Question } from '../shared/ask.ts';
import { checkAvailability, failedShare, type Asked, type Kind } from './check-availability.ts';
import { placeOrder } from '../shared/place-order.ts';
import { isCalm } from '../shared/process-faults.ts';
import { verdict } from '../shared/verdict.ts';

/*
 * Redis is stopped, and in a second run frozen (it still accepts connections), while requests arrive. From then on the run counts every
 * request without the expected response within a second.
 */

const REQUESTS_PER_FAULT = 20_000;
const MERCHANTS = 22;
const API_PROCESSES = 4;
const REQUESTS_AT_ONCE = 12;
/** Each login needs 13 ms of CPU for its hash: more of them would measure argon2. */
const LOGIN_SHARE = 0.03;
const CREATE_SHARE = 0.47;
const HIGHEST_SHARE = 0.001;
const WARM_UP_MS = 2000;
const GIVE_UP_MS = 5000;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const { terminal } = options;
  const stage = await terminal.step(
    'Starting Postgres, Redis and a replica, a node, a watcher, API processes and merchants',
    () => setApiStage(parts, { apis: API_PROCESSES, merchants: MERCHANTS }),
  );
  const { redis } = stage;
  const stopped = await terminal.step('Redis is stopped', () =>
    askDuring(stage, options, { cause: () => redis.kill(), mend: () => redis.restart() }),
  );
  const frozen = await terminal.step('Redis is frozen', () =>
    askDuring(stage, options, {
      cause: async () => redis.signal('SIGSTOP'),
      mend: async () => redis.signal('SIGCONT'),
    }),
  );
  return judge({ stopped, frozen });
};

type Fault = { cause(): Promise<void>; mend(): Promise<void> };

/** Sends requests before, during and after the fault. Returns those that began during the fault. */
async function askDuring(
  stage: ApiStage,
  { share, seconds, seed }: MeasurementOptions,
  { cause, mend }: Fault,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const state = { isDown: false, isOver: false };
  const client = async (random: SeededRandom) => {
    const seen = await firstOrders(stage, random);
    while (!state.isOver) {
      const { isDown } = state;
      const one = await askOne(stage, seen, random);
      if (isDown) asked.push(one);
    }
  };
  const clients = Array.from({ length: REQUESTS_AT_ONCE }, (_, index) =>
    client(createSeededRandom(seed + index)),
  );
  const total = Math.ceil(REQUESTS_PER_FAULT * share);
  const over = AbortSignal.timeout((seconds ?? 24 * 3600) * 1000);
  await isCalm(WARM_UP_MS, over);
  state.isDown = true;
  await cause();
  while (asked.length < total && (await isCalm(100, over)));
  state.isOver = true;
  await Promise.all(clients);
  await mend();
  return asked;
}

/** The invoice whose status a client reads. */
type Seen = { publicId: string; merchant: Merchant };

async function firstOrders(stage: ApiStage, random: SeededRandom): Promise<Seen> {
  const merchant = random.pick(stage.merchants);
  const placed = await placeOrder(stage, merchant, random);
  if (placed === null) throw new Error('no order could be placed before the fault');
  return { publicId: placed.publicId, merchant };
}

async function askOne(stage: ApiStage, seen: Seen, random: SeededRandom): Promise<Asked> {
  const kind = kindOf(random);
  const merchant = random.pick(stage.merchants);
  const startedMs = performance.now();
  const answer = await ask({
    ...questionOf(kind, merchant, seen, random),
    port: random.pick(stage.apis).port ?? 0,
    timeoutMs: GIVE_UP_MS,
  });
  const durationMs = performance.now() - startedMs;
  const status = answer.isLost ? null : answer.status;
  if (kind === 'create' && !answer.isLost && typeof answer.body['public_id'] === 'string') {
    Object.assign(seen, { publicId: answer.body['public_id'], merchant });
  }
  return { kind, expectedStatus: kind === 'create' ? 201 : 200, status, durationMs };
}

function kindOf(random: SeededRandom): Kind {
  const fraction = random.fraction();
  if (fraction < LOGIN_SHARE) return 'login';
  return fraction < LOGIN_SHARE + CREATE_SHARE ? 'create' : 'status';
}

/** Reads the status alternately as owner and as payer. */
function questionOf(
  kind: Kind,
  { apiKey, email, password }: Merchant,
  seen: Seen,
  random: SeededRandom,
): Pick<Question, 'method' | 'path' | 'headers' | 'body'> {
  if (kind === 'login') return { method: 'POST', path: '/v1/auth/login', body: { email, password } };
  if (kind === 'create') {
    const body = { currency: 'LTC', type: 'order', expected_amount: '1000000' };
    return { method: 'POST', path: '/v1/invoices', headers: { 'x-api-key': apiKey }, body };
  }
  if (random.happens(0.5)) return { method: 'GET', path: `/v1/public/invoices/${seen.publicId}` };
  const headers = { 'x-api-key': seen.merchant.apiKey };
  return { method: 'GET', path: `/v1/invoices/${seen.publicId}`, headers };
}

function judge(asked: Record<'stopped' | 'frozen', readonly Asked[]>): Figure[] {
  const results = Object.entries(asked).map(([fault, requests]) => ({
    fault,
    longestMs: Math.max(...requests.map(({ durationMs }) => durationMs)),
    ...checkAvailability(requests),
  }));
  const reached = results.filter(({ all }) => failedShare(all) >= HIGHEST_SHARE).length;
  return [
    { name: 'operations', value: results.reduce((sum, { all }) => sum + all.requests, 0) },
    { name: 'faults', value: results.length },
    ...results.flatMap(({ fault, longestMs, create, status, login, all }) => [
      { name: `${fault}_creates`, value: create.requests },
      { name: `${fault}_statuses`, value: status.requests },
      { name: `${fault}_logins`, value: login.requests },
      { name: `${fault}_failed`, value: all.failed },
      { name: `${fault}_failed_share`, value: failedShare(all), reach: { atMost: HIGHEST_SHARE } },
      { name: `${fault}_longest_ms`, value: Math.round(longestMs) },
    ]),
    ...verdict({ faults_that_failed_too_many: reached }),
  ];
}
