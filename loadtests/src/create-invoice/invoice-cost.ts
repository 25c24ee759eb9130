import type { Figure, Measure } from '@paywatch/dev/commands';
import { setTimeout as sleep } from 'node:timers/promises';
import { setApiStage } from './api-stage.ts';
import { cpuSeconds } from '../shared/cpu-time.ts';
import { httpRequest, runHttpLoad } from '../shared/http-load.ts';
import { analyzeAddresses, offerAddresses, openMerchants } from '../shared/merchants.ts';
import { orderRequest } from './order-request.ts';
import { residentBytes } from '../shared/process-limits.ts';
import { readServerWork, workBetween, type ServerWork } from '../shared/server-work.ts';
import { causeEvents, setWebhookStage } from '../webhook-delivery/webhook-stage.ts';

const SECONDS = 20;
const IN_FLIGHT = 32;
const MERCHANTS = 8;
/** An upper bound of any machine. Each invoice needs an address, and each delivery an event, prepared beforehand. */
const MOST_PER_SECOND = 3000;
const BATCH = 500;
/** Postgres sessions report their row counters up to a second after their last statement. */
const COUNTERS_MS = 1500;

/** The work for `count` requests or deliveries: of our process, and of the servers behind it. */
type Cost = ServerWork & { count: number; cpuSeconds: number; residentBytes: number };

/** The costs that docs/scale.md calculates with. Only CPU time and counts, which other load on the machine hardly changes. */
export const run: Measure = async ({ terminal, seconds = SECONDS }) => {
  const { creation, read } = await terminal.step('Creating and reading invoices', () =>
    measureApi(seconds / 2),
  );
  const delivery = await terminal.step('Delivering webhooks', () => measureDelivery(seconds / 4));
  return [
    {
      name: 'total_cpu_us',
      value: totalCpuMicroseconds(creation),
      reach: { atMost: 800 },
      aim: { atMost: 500 },
    },
    ...figuresOf('invoice', creation),
    ...figuresOf('read', read),
    ...figuresOf('delivery', delivery),
  ];
};

function totalCpuMicroseconds({ cpuSeconds: own, postgresCpuSeconds, redisCpuSeconds, count }: Cost): number {
  return ((own + postgresCpuSeconds + redisCpuSeconds) * 1e6) / count;
}

async function measureApi(seconds: number): Promise<{ creation: Cost; read: Cost }> {
  await using parts = new AsyncDisposableStack();
  const { store, api } = await setApiStage(parts, 1);
  const addresses = Math.ceil((1.5 * seconds * MOST_PER_SECOND) / MERCHANTS);
  const merchants = await openMerchants(store, MERCHANTS, addresses);
  for (const merchant of merchants) await offerAddresses(store, merchant, addresses);
  await analyzeAddresses(store);
  const load = { ports: api.ports, inFlight: IN_FLIGHT };
  const orders = { ...load, nextRequest: () => orderRequest('/v1/invoices', merchants), status: 201 };
  await runHttpLoad(orders, seconds / 4);
  const creation = await measure(store, api.pids, () => runHttpLoad(orders, seconds));
  const rows = await store.sql<{ public_id: string }[]>`
    select public_id from invoices order by id desc limit 2000`;
  let count = 0;
  const nextRead = () =>
    httpRequest('GET', `/v1/public/invoices/${rows[(count += 1) % rows.length]?.public_id}`);
  const reads = { ...load, nextRequest: nextRead, status: 200 };
  await runHttpLoad(reads, seconds / 4);
  return { creation, read: await measure(store, api.pids, () => runHttpLoad(reads, seconds / 2)) };
}

async function measureDelivery(seconds: number): Promise<Cost> {
  await using parts = new AsyncDisposableStack();
  const { store, receivers, healthyIds, worker } = await setWebhookStage(parts, { healthy: 20, hanging: 0 });
  const deliver = async (count: number): Promise<number> => {
    const before = receivers.countReceived();
    while (receivers.countReceived() - before < count) await sleep(10);
    return count;
  };
  const cause = async (count: number): Promise<void> => {
    for (let caused = 0; caused < count; caused += BATCH)
      await causeEvents(
        store,
        Array.from({ length: BATCH }, (_, index) => healthyIds[index % healthyIds.length] ?? 0n),
      );
  };
  await Promise.all([cause(2 * BATCH), deliver(2 * BATCH)]);
  worker.process().signal('SIGSTOP');
  const total = Math.ceil((seconds * MOST_PER_SECOND) / BATCH) * BATCH;
  await cause(total);
  return await measure(store, [worker.process().pid], () => {
    worker.process().signal('SIGCONT');
    return deliver(total);
  });
}

async function measure(
  store: Parameters<typeof readServerWork>[0],
  pids: readonly number[],
  work: () => Promise<number>,
): Promise<Cost> {
  await sleep(COUNTERS_MS);
  const [cpu, before] = [cpuSeconds(pids), await readServerWork(store)];
  const count = await work();
  await sleep(COUNTERS_MS);
  const done = workBetween(before, await readServerWork(store));
  const [pid = 0] = pids;
  return { ...done, count, cpuSeconds: cpuSeconds(pids) - cpu, residentBytes: residentBytes(pid) };
}

function figuresOf(name: string, cost: Cost): Figure[] {
  const each = (value: number): number => value / cost.count;
  return [
    { name: `${name}_count`, value: cost.count },
    { name: `${name}_process_cpu_us`, value: each(cost.cpuSeconds * 1e6) },
    { name: `${name}_postgres_cpu_us`, value: each(cost.postgresCpuSeconds * 1e6) },
    { name: `${name}_redis_cpu_us`, value: each(cost.redisCpuSeconds * 1e6) },
    { name: `${name}_rows_written`, value: each(cost.rowsWritten) },
    { name: `${name}_wal_bytes`, value: Math.round(each(cost.walBytes)) },
    { name: `${name}_redis_commands`, value: each(cost.redisCommands) },
    { name: `${name}_process_bytes`, value: cost.residentBytes },
  ];
}
