import type { Measure } from '@paywatch/dev/commands';
import { temporaryFolder } from '@paywatch/dev/testing';
import { CREATE_INVOICE_STATEMENT } from '@paywatch/store/invoices';
import { setApiStage, type ApiStage } from './api-stage.ts';
import { measureServer, type ServerCost } from '../shared/measure-server.ts';
import { median } from '../shared/median.ts';
import { analyzeAddresses, offerAddresses, openMerchants, type Merchant } from '../shared/merchants.ts';
import { orderRequest } from './order-request.ts';
import { runPgbench, type PgbenchScript } from './pgbench.ts';

const SECONDS = 50;
const ROUNDS = 5;
/** Compiled code is only good after some thousand requests at each replica. */
const WARM_UP_PARTS = 10;
const REPLICAS = 2;
/** Requests in flight, and clients of pgbench. */
const CONCURRENCY = 64;
const MERCHANTS = 8;
/** On a busy machine the 64 plans of a run take its first seconds, which do not count. */
const LEAST_PGBENCH_SECONDS = 4;
/** An upper bound of any machine. Each invoice needs an address, prepared beforehand. */
const MOST_PER_SECOND = 10_000;
const MOST_ADDRESSES = 99_000;

/** Measures, in turns: an echo of bare Express, the store's own statement run by pgbench, and invoices over HTTP. */
export const run: Measure = async ({ terminal, seconds = SECONDS }) => {
  await using parts = new AsyncDisposableStack();
  const stage = await terminal.step('Starting Postgres, Redis, two API processes and an echo', () =>
    setApiStage(parts, REPLICAS),
  );
  const shops = await terminal.step('Deriving addresses', () => openShops(stage, seconds));
  const second = seconds / (1 + WARM_UP_PARTS + ROUNDS * 5);
  await terminal.step('Warming up', async () => {
    await measureEcho(stage, shops.api, second);
    await measureApi(stage, shops.api, WARM_UP_PARTS * second);
  });
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1)
    rounds.push(await terminal.step(`Round ${round}`, () => measureRound(stage, shops, second), describe));
  return figuresOf(rounds);
};

type Shops = { api: Merchant[]; pgbench: Merchant[] };
type Round = { echo: ServerCost; statementPerSecond: number; api: ServerCost };

async function openShops({ store }: ApiStage, seconds: number): Promise<Shops> {
  const addresses = Math.min(MOST_ADDRESSES, Math.ceil((seconds * MOST_PER_SECOND) / 2 / MERCHANTS));
  const [api, pgbench] = [
    await openMerchants(store, MERCHANTS, addresses),
    await openMerchants(store, MERCHANTS, addresses),
  ];
  for (const merchant of api) await offerAddresses(store, merchant, addresses);
  await analyzeAddresses(store);
  return { api, pgbench };
}

async function measureRound(stage: ApiStage, shops: Shops, second: number): Promise<Round> {
  return {
    echo: await measureEcho(stage, shops.api, second),
    statementPerSecond: await measureStatement(
      stage,
      shops.pgbench,
      Math.max(LEAST_PGBENCH_SECONDS, Math.round(1.5 * second)),
    ),
    api: await measureApi(stage, shops.api, 2.5 * second),
  };
}

function measureEcho(stage: ApiStage, merchants: readonly Merchant[], seconds: number): Promise<ServerCost> {
  const nextRequest = () => orderRequest('/echo', merchants);
  return measureServer(stage.echo, { inFlight: CONCURRENCY, nextRequest, status: 200 }, seconds);
}

function measureApi(stage: ApiStage, merchants: readonly Merchant[], seconds: number): Promise<ServerCost> {
  const nextRequest = () => orderRequest('/v1/invoices', merchants);
  return measureServer(stage.api, { inFlight: CONCURRENCY, nextRequest, status: 201 }, seconds);
}

/** Transactions per second. Throws unless each of them created an invoice. */
async function measureStatement(
  { store, databaseUrl }: ApiStage,
  merchants: readonly Merchant[],
  seconds: number,
): Promise<number> {
  const script = await statementScript(store, merchants);
  const before = await countInvoices(store, merchants);
  const clients = { clients: CONCURRENCY, seconds };
  const { transactions, perSecond } = await runPgbench(
    databaseUrl,
    temporaryFolder('pgbench'),
    script,
    clients,
  );
  const made = (await countInvoices(store, merchants)) - before;
  if (made !== transactions)
    throw new Error(`pgbench created ${made} invoices in ${transactions} transactions`);
  return perSecond;
}

/**
 * A pgbench script that runs the store's statement, prepared once per connection, with the API's arguments for an order. Each run
 * gets its own address as the lease hint, as the API gets it from Redis.
 */
async function statementScript(
  { sql }: ApiStage['store'],
  merchants: readonly Merchant[],
): Promise<PgbenchScript> {
  const [first] = merchants;
  if (!first) throw new Error('no merchants');
  const [used] = await sql<{ index: number }[]>`
    select coalesce(max(address_index), 0) as index from pool_addresses
    where pool_id = any (${merchants.map(({ poolId }) => String(poolId))}::bigint[]) and state <> 'free'`;
  const shop = (id: bigint): string => `(${id} + :client_id % ${merchants.length})`;
  const script = `
\\if :is_prepared = 0
prepare create_invoice as ${CREATE_INVOICE_STATEMENT};
\\set is_prepared 1
\\endif
\\set order random(1, 9000000000000000000)
\\set turn :turn + 1
execute create_invoice(${shop(first.projectId)}, 'api_key', ${shop(first.apiKeyId)}, null, 'BTC', 'order', 150000, 1,
  'order-' || :order, null, null, null, 3600, 120, sha256('request'), 'key-' || :order, 'inv_' || :order,
  '{orders,any,guests}', '{guests}', ${shop(first.poolId)},
  ${used?.index ?? 0} + :client_id / ${merchants.length} + 1 + ${CONCURRENCY / merchants.length} * :turn,
  3600, :order % 16, 30, 'req_' || :order, null, true, null, null, null, null, null);
`;
  return { script, variables: { is_prepared: 0, turn: 0 } };
}

async function countInvoices({ sql }: ApiStage['store'], merchants: readonly Merchant[]): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from invoices
    where project_id = any (${merchants.map(({ projectId }) => String(projectId))}::bigint[])`;
  return row?.count ?? 0;
}

function describe({ echo, statementPerSecond, api }: Round): string {
  return [
    `echo ${echo.cpuMicroseconds.toFixed(0)} µs`,
    `invoice ${api.cpuMicroseconds.toFixed(0)} µs, ${api.perSecond.toFixed(0)} per second`,
    `statement ${statementPerSecond.toFixed(0)} per second`,
  ].join('; ');
}

function figuresOf(rounds: readonly Round[]) {
  const of = (value: (round: Round) => number): number => median(rounds.map(value));
  const ratio = (value: (round: Round) => number, bounds: object) => ({ value: of(value), ...bounds });
  return [
    { name: 'echo_cpu_us', value: of(({ echo }) => echo.cpuMicroseconds) },
    { name: 'invoice_cpu_us', value: of(({ api }) => api.cpuMicroseconds) },
    { name: 'statements_per_second', value: of(({ statementPerSecond }) => statementPerSecond) },
    { name: 'invoices_per_second', value: of(({ api }) => api.perSecond) },
    {
      name: 'cpu_ratio',
      ...ratio(({ api, echo }) => api.cpuMicroseconds / echo.cpuMicroseconds, {
        reach: { atMost: 5 },
        aim: { atMost: 3.5 },
      }),
    },
    {
      name: 'tps_ratio',
      ...ratio(({ api, statementPerSecond }) => api.perSecond / statementPerSecond, {
        reach: { atLeast: 0.2 },
        aim: { atLeast: 0.35 },
      }),
    },
  ];
}
