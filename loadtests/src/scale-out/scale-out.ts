import type { Figure, Measure } from '@paywatch/dev/commands';
import { createSeededRandom } from '@paywatch/dev/testing';
import { setApiStage, type ApiStage, type MeasuredServer } from '../create-invoice/api-stage.ts';
import { httpRequest } from '../shared/http-load.ts';
import { measureServer } from '../shared/measure-server.ts';
import { median } from '../shared/median.ts';
import { offerAddresses, openMerchants, type Merchant } from '../shared/merchants.ts';
import { orderRequest } from '../create-invoice/order-request.ts';

const SECONDS = 120;
const ROUNDS = 5;
const SIZES = [1, 2, 4];
/** How often each size has its turn in a round: the machine's speed changes within seconds. */
const TURNS = 4;
/** In units of one measurement: until V8 has compiled what all four do, which takes it some ten thousand requests of each kind. */
const WARM_UP = 25;
/**
 * Requests in flight at each process, as many as keep it at its limit: who scales out does so because one is. With fewer each does
 * little at a time, and four on two cores fetch again and again what the one before them took from the core's caches.
 */
const IN_FLIGHT = 64;
const MERCHANTS = 8;
/** No machine creates more in a second; each invoice takes an address. */
const MOST_PER_SECOND = 3000;

/**
 * What a request costs the API when one process serves, two and four; in turns. CPU time and not time: the processes share the
 * machine, and what is asked is whether one more of them makes the others dearer.
 */
export const run: Measure = async ({ terminal, seconds = SECONDS, seed }) => {
  await using parts = new AsyncDisposableStack();
  const stage = await terminal.step('Starting Postgres, Redis and four API processes', () =>
    setApiStage(parts, Math.max(...SIZES)),
  );
  const merchants = await terminal.step('Deriving addresses', () => openShops(stage, seconds));
  const second = seconds / ((ROUNDS * SIZES.length + WARM_UP) * 2);
  const load = { stage, merchants, second, random: createSeededRandom(seed) };
  // All four for as long: a process that has served less is slower for that alone.
  await terminal.step('Warming up', () => measureRound({ ...load, second: WARM_UP * second }, [4]));
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    rounds.push(await terminal.step(`Round ${round}`, () => measureRound(load), describe));
  return figuresOf(rounds);
};

type Load = {
  stage: ApiStage;
  merchants: readonly Merchant[];
  second: number;
  random: ReturnType<typeof createSeededRandom>;
};

/** CPU time of a request in microseconds with so many processes, in the order of SIZES. */
type Round = { create: number[]; read: number[] };

async function openShops(stage: ApiStage, seconds: number): Promise<Merchant[]> {
  const addresses = Math.ceil((seconds * MOST_PER_SECOND) / MERCHANTS);
  const merchants = await openMerchants(stage.store, MERCHANTS, addresses);
  for (const merchant of merchants) await offerAddresses(stage.store, merchant, addresses);
  await stage.store.sql`vacuum analyze`;
  return merchants;
}

async function measureRound({ stage, merchants, second, random }: Load, sizes = SIZES): Promise<Round> {
  const order = () => orderRequest('/v1/invoices', merchants);
  const create = await measureSizes(stage, { nextRequest: order, status: 201 }, sizes, second);
  const ids = await latestInvoices(stage);
  const look = () => httpRequest('GET', `/v1/public/invoices/${random.pick(ids)}`);
  return { create, read: await measureSizes(stage, { nextRequest: look, status: 200 }, sizes, second) };
}

async function measureSizes(
  { api }: ApiStage,
  request: { nextRequest: () => string; status: number },
  sizes: readonly number[],
  second: number,
): Promise<number[]> {
  const measure = (size: number) =>
    measureServer(firstOf(api, size), { ...request, inFlight: size * IN_FLIGHT }, second / TURNS);
  const sums = sizes.map(() => 0);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [at, size] of sizes.entries())
      sums[at] = (sums[at] ?? 0) + (await measure(size)).cpuMicroseconds;
  return sums.map((sum) => sum / TURNS);
}

function firstOf({ ports, pids }: MeasuredServer, size: number): MeasuredServer {
  return { ports: ports.slice(0, size), pids: pids.slice(0, size) };
}

async function latestInvoices({ store }: ApiStage): Promise<string[]> {
  const rows = await store.sql<{ public_id: string }[]>`
    select public_id from invoices order by id desc limit 2000`;
  return rows.map((row) => row.public_id);
}

function describe({ create, read }: Round): string {
  return `created for ${microseconds(create)} µs, read for ${microseconds(read)} µs`;
}

function microseconds(costs: readonly number[]): string {
  return costs.map((cost) => cost.toFixed(0)).join(', ');
}

/** Each size against one process of the same round; of the rounds the middle one. */
function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  const kinds = ['create', 'read'] as const;
  return [
    ...kinds.map((kind) => ({
      name: `${kind}_cpu_us`,
      value: of((round) => round[kind][0] ?? Number.NaN),
    })),
    ...kinds.flatMap((kind) =>
      [1, 2].map((position) => ({
        name: `${kind}_cpu_ratio_${SIZES[position]}`,
        value: of((round) => ratio(round[kind], position)),
        reach: { atMost: 1.25 },
      })),
    ),
  ];
}

function ratio(costs: readonly number[], position: number): number {
  return (costs[position] ?? Number.NaN) / (costs[0] ?? Number.NaN);
}
