import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import type { Store } from '@paywatch/store';
import { setApiStage, type ApiStage } from '../shared/api-stage.ts';
import { checkLeases, type Acknowledged, type StoredLease } from './check-leases.ts';
import { placeOrder } from '../shared/place-order.ts';
import { isCalm } from '../shared/process-faults.ts';
import { troubleServers, type FaultCounts } from '../shared/server-faults.ts';
import { faultFigures, verdict } from '../shared/verdict.ts';

/*
 * Many shops place orders that expire soon at several API processes, so that most addresses are reused often. Meanwhile the processes
 * are killed and frozen; Redis is killed, frozen, emptied and replaced by a replica that lacks its last writes; Postgres crashes. The
 * driver records acknowledged invoices and compares them with Postgres at the end: no address may have had two open invoices, and no
 * acknowledged invoice may be missing.
 */

const ORDERS = 100_000;
const MERCHANTS = 50;
const API_PROCESSES = 4;
const ORDERS_AT_ONCE = 48;
const RULES = { quarantineMs: 2000, gapLimit: 1000 };
/** Minimum time for which an order stays open: much longer than a request takes. */
const OPEN_MS = 3000;
const END_EVERY_MS = 250;
const TELL_EVERY_MS = 10_000;
const LEAST_REUSED = 0.4;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const quarantineSeconds = String(RULES.quarantineMs / 1000);
  const stage = await options.terminal.step(
    'Starting Postgres, Redis and a replica, a node, a watcher, API processes and merchants',
    () =>
      setApiStage(parts, {
        apis: API_PROCESSES,
        merchants: Math.max(1, Math.floor(MERCHANTS * options.share)),
        env: { QUARANTINE_SECONDS: quarantineSeconds, QUARANTINE_DRY_SECONDS: quarantineSeconds },
      }),
  );
  const history = await trouble(stage, options);
  const stored = await options.terminal.step('Reading what Postgres has', () => readLeases(stage.store));
  return judge(history, stored);
};

type History = {
  acknowledged: Acknowledged[];
  /** Orders placed, acknowledged or not. */
  orders: number;
  faults: FaultCounts;
};

/** Places orders, lets them expire, and causes faults, all concurrently. */
async function trouble(stage: ApiStage, options: MeasurementOptions): Promise<History> {
  const { seed, terminal } = options;
  const history: History = { acknowledged: [], orders: 0, faults: {} };
  const ending = new AbortController();
  const troubled = troubleServers(stage, { seed, signal: ending.signal });
  const beside = Promise.all([
    endOrders(stage.store, history, ending.signal),
    showProgress(history, terminal, ending.signal),
  ]);
  try {
    await placeOrders(stage, history, options);
    ending.abort();
    await beside;
    return { ...history, faults: await troubled };
  } finally {
    ending.abort();
  }
}

/** Places orders without pauses, until there are enough or the time is over. */
async function placeOrders(
  stage: ApiStage,
  history: History,
  { share, seconds, seed }: MeasurementOptions,
): Promise<void> {
  const total = Math.ceil(ORDERS * share);
  const untilMs = seconds === undefined ? Infinity : performance.now() + seconds * 1000;
  const customer = async (random: SeededRandom) => {
    while (history.orders < total && performance.now() < untilMs) {
      history.orders += 1;
      await placeOne(stage, history, `order-${history.orders}`, random);
    }
  };
  await Promise.all(
    Array.from({ length: ORDERS_AT_ONCE }, (_, index) => customer(createSeededRandom(seed + 100 + index))),
  );
}

async function placeOne(
  stage: ApiStage,
  history: History,
  orderId: string,
  random: SeededRandom,
): Promise<void> {
  const { apiKey } = random.pick(stage.merchants);
  const placed = await placeOrder(stage, { apiKey, orderId }, random);
  if (placed === null) return;
  const { publicId, address, answeredAtMs } = placed;
  history.acknowledged.push({ orderId, publicId, address, answeredAtMs, endedAtMs: null });
}

/** Lets orders expire, oldest first: watchers end the invoices, and their addresses enter quarantine. */
async function endOrders({ sql }: Store, { acknowledged }: History, signal: AbortSignal): Promise<void> {
  for (let first = 0; await isCalm(END_EVERY_MS, signal);) {
    const dueMs = Date.now() - OPEN_MS;
    const open = acknowledged.slice(first);
    const firstLater = open.findIndex(({ answeredAtMs }) => answeredAtMs > dueMs);
    const due = firstLater === -1 ? open : open.slice(0, firstLater);
    for (const invoice of due) invoice.endedAtMs ??= Date.now();
    const isDone = await sql`
      update invoices set expires_at = now() - interval '2 minutes', deadline_at = now()
      where public_id = any (${due.map(({ publicId }) => publicId)}::text[])`.then(
      () => true,
      // Postgres is restarting: the next round repeats it.
      () => false,
    );
    if (isDone) first += due.length;
  }
}

async function showProgress(
  history: History,
  terminal: MeasurementOptions['terminal'],
  signal: AbortSignal,
): Promise<void> {
  const startedMs = performance.now();
  while (await isCalm(TELL_EVERY_MS, signal)) {
    terminal.done(`${history.acknowledged.length} orders acknowledged`, performance.now() - startedMs);
  }
}

type LeaseRow = StoredLease & { isReused: boolean };

async function readLeases({ sql }: Store): Promise<LeaseRow[]> {
  const rows = await sql<
    (Omit<LeaseRow, 'leasedAtMs' | 'releasedAtMs'> & { leasedAt: Date; releasedAt: Date | null })[]
  >`
    select i.public_id as "publicId", i.address, i.address_index as index, i.address_reused as "isReused",
      l.leased_at as "leasedAt", l.released_at as "releasedAt"
    from invoices i join address_leases l on l.invoice_id = i.id`;
  return rows.map(({ leasedAt, releasedAt, ...row }) => ({
    ...row,
    leasedAtMs: leasedAt.getTime(),
    releasedAtMs: releasedAt?.getTime() ?? null,
  }));
}

function judge({ acknowledged, orders, faults }: History, stored: readonly LeaseRow[]): Figure[] {
  const counts = checkLeases(acknowledged, stored, RULES);
  const reused = stored.filter(({ isReused }) => isReused).length;
  return [
    { name: 'operations', value: orders },
    { name: 'acknowledged', value: acknowledged.length },
    { name: 'leases', value: stored.length },
    { name: 'reused_share', value: reused / stored.length, reach: { atLeast: LEAST_REUSED } },
    ...faultFigures(faults),
    ...verdict({
      open_invoices_sharing_an_address: counts.sharedByAnswers + counts.sharedInPostgres,
      acknowledged_invoices_missing: counts.missing,
      orders_with_two_invoices: counts.ordersTwice,
      leases_of_unrested_addresses: counts.unrested,
      leases_beyond_the_gap_limit: counts.beyondGap,
    }),
  ];
}
