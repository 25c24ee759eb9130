import type { Figure, Measure } from '@paywatch/dev/commands';
import { createSeededRandom } from '@paywatch/dev/testing';
import { setApiStage, type ApiStage } from './api-stage.ts';
import { httpRequest } from '../shared/http-load.ts';
import { writeHistory } from '../growth/invoice-history.ts';
import { measureServer, type ServerCost } from '../shared/measure-server.ts';
import { median } from '../shared/median.ts';
import { openMerchants } from '../shared/merchants.ts';

const SECONDS = 30;
const ROUNDS = 6;
/** Requests in flight. */
const CONCURRENCY = 64;
/** Requests pick one at random, so that concurrent requests rarely share an invoice. */
const INVOICES = 5000;

/** Measures, in turns: an echo of bare Express, and the public status read of payment pages. */
export const run: Measure = async ({ terminal, seconds = SECONDS, seed }) => {
  await using parts = new AsyncDisposableStack();
  const stage = await terminal.step('Starting Postgres, Redis, an API process and an echo', () =>
    setApiStage(parts, 1),
  );
  const publicIds = await terminal.step(`Writing ${INVOICES} invoices`, () => writeInvoices(stage));
  const random = createSeededRandom(seed);
  const nextRequest = () => httpRequest('GET', `/v1/public/invoices/${random.pick(publicIds)}`);
  const second = seconds / (3 * (ROUNDS + 1));
  const measureRound = async (): Promise<Round> => ({
    echo: await measureServer(
      stage.echo,
      { inFlight: CONCURRENCY, nextRequest: echoRequest, status: 200 },
      second,
    ),
    read: await measureServer(stage.api, { inFlight: CONCURRENCY, nextRequest, status: 200 }, 2 * second),
  });
  await terminal.step('Warming up', measureRound);
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    rounds.push(await terminal.step(`Round ${round}`, measureRound, describe));
  return figuresOf(rounds);
};

type Round = { echo: ServerCost; read: ServerCost };

/** Writes invoices in a realistic mix: some open, most paid or expired. */
async function writeInvoices({ store }: ApiStage): Promise<string[]> {
  const merchants = await openMerchants(store, 4, 10);
  await writeHistory(store, merchants, { count: INVOICES, days: 1 });
  const rows = await store.sql<{ public_id: string }[]>`select public_id from invoices order by id`;
  return rows.map((row) => row.public_id);
}

/** The echo of an order's body, as in `create-invoice`. */
function echoRequest(): string {
  const body = { currency: 'BTC', type: 'order', expected_amount: '150000', order_id: 'order-1' };
  return httpRequest('POST', '/echo', {}, JSON.stringify(body));
}

function describe({ echo, read }: Round): string {
  return `echo ${echo.cpuMicroseconds.toFixed(0)} µs; read ${read.cpuMicroseconds.toFixed(0)} µs, ${read.perSecond.toFixed(0)} per second`;
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  return [
    { name: 'echo_cpu_us', value: of(({ echo }) => echo.cpuMicroseconds) },
    { name: 'read_cpu_us', value: of(({ read }) => read.cpuMicroseconds) },
    { name: 'reads_per_second', value: of(({ read }) => read.perSecond) },
    {
      name: 'cpu_ratio',
      value: of(({ read, echo }) => read.cpuMicroseconds / echo.cpuMicroseconds),
      reach: { atMost: 2.5 },
      aim: { atMost: 1.5 },
    },
  ];
}
