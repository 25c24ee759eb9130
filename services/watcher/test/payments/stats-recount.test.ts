import { createSeededRandom } from '@paywatch/dev/testing';
import { scriptOf } from '@paywatch/dev/wallet';
import { showDonations } from '@paywatch/store/donations';
import { invoiceCreation, type CreateInvoice } from '@paywatch/store/invoices';
import { foldDays, foldShards, readFiatTotals, readStats, type DayStats } from '@paywatch/store/stats';
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WatcherContext } from '../../src/context.ts';
import { refillPool } from '../../src/pools/refill-pools.ts';
import { settleDueDecisions, sweepDeadlines } from '../../src/payments/settle-due.ts';
import { createHarness, type Harness } from '../support/harness.ts';
import { createObserver, type Observer } from '../support/observer.ts';
import { SyntheticChain } from '../support/chains/synthetic-chain.ts';
import { makeTransaction, type SyntheticTransaction } from '../support/chains/synthetic-transaction.ts';
import { invoiceAt, openPool, openVerifiedPool, type VerifiedPool } from '../support/chains/verified-pool.ts';

const ROUNDS = 12;
/** Invoices of a round, created at once. */
const CREATED = 8;
const AMOUNT = 1000n;
/** `STATS_SEED` repeats a run. */
const SEED = Number(process.env['STATS_SEED'] ?? randomInt(2 ** 32));

type Counters = Omit<DayStats, 'day'>;
type Shown = { publicId: string; script: Uint8Array };

let harness: Harness;
let pool: VerifiedPool;
let creators: CreateInvoice[];
/** Besides the one that leads the chain. */
let watchers: WatcherContext[];
let chain: SyntheticChain;
let leader: Observer;
const random = createSeededRandom(SEED);
const shown: Shown[] = [];

beforeAll(async () => {
  harness = await createHarness();
  watchers = [harness.open(), harness.open()];
  const settings = { ...harness.context.settings, quarantineSeconds: 3600 };
  creators = [harness.context, ...watchers].map(({ store }) => invoiceCreation(store, settings));
  chain = new SyntheticChain();
  leader = createObserver(harness.context, chain, 'BTC');
  await leader.look();
  pool = await openVerifiedPool(harness.store);
  await harness.store.sql`update wallets set gap_limit = 500 where pool_id = ${pool.poolId}`;
  await harness.store.sql`update pools set gap_limit = 500 where id = ${pool.poolId}`;
  await harness.store.sql`update projects set fiat_currency = 'EUR' where id = ${pool.projectId}`;
  await refillPool(harness.context, pool.poolId);
  await openPool(harness.store, pool.poolId);
});
afterAll(() => harness.close());

test(`statistics are what a full recount says, after creations, payments, reversals, expiries and folding at once (seed ${SEED})`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    moveChain();
    await moveRate(round);
    await expireOne();
    await Promise.all([
      ...creators.map((create) => createSome(create, CREATED / 4)),
      leader.look(),
      ...watchers.flatMap((watcher) => [settleDueDecisions(watcher, 'BTC'), sweepDeadlines(watcher, 'BTC')]),
      ...watchers.flatMap(({ store }) => [foldShards(store, 5), foldDays(store, 5)]),
    ]);
    const counted = await recount();
    expect(await totals()).toEqual(counted);
    expect(await readFiatTotals(harness.store, pool.projectId)).toEqual(await recountFiat());
    expect(await paidAtPool()).toBe(
      counted.statusConfirmed + counted.statusUnderpaid + counted.statusLatePayment,
    );
    await letADayPass(round);
  }
  const end = await recount();
  const kinds = ['ordersCreated', 'donationsCreated', 'confirmed', 'statusExpired', 'statusNew'] as const;
  for (const kind of kinds) expect(end[kind], kind).toBeGreaterThan(0);
  expect(await recountFiat(), 'some in each currency').toHaveLength(2);
  expect(end.btcCount, 'some were reversed').toBeLessThan(end.confirmed);
  expect(end.btcAmount, 'some were paid again').toBeGreaterThan(BigInt(end.btcCount) * AMOUNT);
});

/** Another rate in each round; in some none that may be used, and once another currency. */
async function moveRate(round: number): Promise<void> {
  const { sql } = harness.store;
  const withheld = random.happens(0.2) ? 'jump' : null;
  await sql`
    insert into exchange_rates (currency, price_currency, value, sources, taken_at, withheld)
    select 'BTC', code, ${80_000_000 + round * 7_654_321}, '{kraken}', now(), ${withheld} from unnest('{EUR,JPY}'::text[]) code
    on conflict (currency, price_currency) do update
      set value = excluded.value, taken_at = excluded.taken_at, withheld = excluded.withheld`;
  if (round === ROUNDS / 2) await sql`update projects set fiat_currency = 'JPY' where id = ${pool.projectId}`;
}

/** The worth of each accepted invoice, at the rate that is stored with it. */
async function recountFiat() {
  const { sql } = harness.store;
  return sql`
    select i.fiat_currency as currency, count(*)::int as count,
      sum(floor(paid.amount * i.fiat_rate / case i.fiat_currency when 'JPY' then 1e8 else 1e6 end))::bigint as amount
    from invoices i
    cross join lateral (
      select sum(y.amount) as amount from payments y where y.invoice_id = i.id and y.counted
    ) paid
    where i.project_id = ${pool.projectId} and i.status = 'confirmed' and not i.reversed and i.fiat_rate is not null
    group by i.fiat_currency order by i.fiat_currency`;
}

async function createSome(create: CreateInvoice, count: number): Promise<void> {
  const wanted = Array.from({ length: count }, pickType);
  const outcomes = await Promise.all(wanted.map((type) => create(invoiceAt(pool, type))));
  for (const outcome of outcomes) {
    if (outcome.kind !== 'created') throw new Error(`no invoice was created: ${outcome.kind}`);
    const { store, settings } = harness.context;
    const [{ publicId, address } = outcome.invoice] = await showDonations(
      store.sql,
      [outcome.invoice],
      settings,
    );
    if (address === null) throw new Error(`${publicId} was shown without its address`);
    shown.push({ publicId, script: scriptOf('BTC', address) });
  }
}

function pickType(): 'donation' | 'order' {
  return random.happens(0.3) ? 'donation' : 'order';
}

/** What the newest block holds. */
let newest: SyntheticTransaction[] = [];

/** Mines a block with exact, partial and excess payments to open and ended invoices, or disconnects the last such block. */
function moveChain(): void {
  const [taken] = newest;
  if (taken !== undefined && random.happens(0.5)) {
    chain.reorganise(1, [[makeTransaction({ spends: taken.spends })]]);
    newest = [];
    return;
  }
  if (shown.length === 0) return;
  newest = Array.from({ length: 4 }, () => {
    const amount = random.pick([AMOUNT, AMOUNT, AMOUNT, AMOUNT - 1n, AMOUNT + 5n]);
    return makeTransaction({ pays: [{ script: random.pick(shown).script, amount }] });
  });
  chain.mine(newest);
}

/** An unpaid invoice expires before the next poll. */
async function expireOne(): Promise<void> {
  await harness.store.sql`
    update invoices set deadline_at = now() - interval '1 second' where id in (
      select id from invoices where project_id = ${pool.projectId} and status = 'new' order by id limit 1)`;
}

/** Moves today's counts to a past day that is too old to be shown; each `round` gets a day of its own. */
async function letADayPass(round: number): Promise<void> {
  await harness.store.sql`
    update project_stats set day = day - ${60 + round}::int where day = (now() at time zone 'UTC')::date`;
}

async function totals(): Promise<Counters> {
  const { days } = await readStats(harness.store, pool.projectId, 30);
  const sum = (of: (day: DayStats) => number) => days.reduce((total, day) => total + of(day), 0);
  const sumBig = (of: (day: DayStats) => bigint) => days.reduce((total, day) => total + of(day), 0n);
  return {
    ordersCreated: sum((day) => day.ordersCreated),
    donationsCreated: sum((day) => day.donationsCreated),
    confirmed: sum((day) => day.confirmed),
    btcAmount: sumBig((day) => day.btcAmount),
    btcCount: sum((day) => day.btcCount),
    ltcAmount: sumBig((day) => day.ltcAmount),
    ltcCount: sum((day) => day.ltcCount),
    statusNew: sum((day) => day.statusNew),
    statusPending: sum((day) => day.statusPending),
    statusConfirmed: sum((day) => day.statusConfirmed),
    statusUnderpaid: sum((day) => day.statusUnderpaid),
    statusExpired: sum((day) => day.statusExpired),
    statusLatePayment: sum((day) => day.statusLatePayment),
  };
}

async function paidAtPool(): Promise<number> {
  const [row] = await harness.store.sql<{ paid: number }[]>`
    select coalesce(sum(pool_paid), 0)::int as paid from project_stats where project_id = ${pool.projectId}`;
  return row?.paid ?? 0;
}

/** The same from invoices, payments and events alone. */
async function recount(): Promise<Counters> {
  const { sql } = harness.store;
  const inStatus = (status: string) => sql`count(*) filter (where i.status = ${status})::int`;
  const [row] = await sql<Counters[]>`
    select
      count(*) filter (where i.type = 'order')::int as "ordersCreated",
      count(*) filter (where i.type = 'donation')::int as "donationsCreated",
      (select count(*)::int from events e
        where e.project_id = ${pool.projectId} and e.type = 'invoice.confirmed') as confirmed,
      coalesce(sum(paid.amount) filter (where is_accepted), 0)::bigint as "btcAmount",
      count(*) filter (where is_accepted)::int as "btcCount",
      0::bigint as "ltcAmount", 0 as "ltcCount",
      ${inStatus('new')} as "statusNew", ${inStatus('pending')} as "statusPending",
      ${inStatus('confirmed')} as "statusConfirmed", ${inStatus('underpaid')} as "statusUnderpaid",
      ${inStatus('expired')} as "statusExpired", ${inStatus('late_payment')} as "statusLatePayment"
    from invoices i
    cross join lateral (values (i.status = 'confirmed' and not i.reversed)) as accepted (is_accepted)
    cross join lateral (
      select sum(y.amount) as amount from payments y where y.invoice_id = i.id and y.counted
    ) paid
    where i.project_id = ${pool.projectId}`;
  if (!row) throw new Error('an aggregate has a row');
  return row;
}
