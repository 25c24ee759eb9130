import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPayers } from './chain-payers.ts';
import type { Sold } from './chain-shops.ts';
import { nextOrder, noScenarios, paysBeforeLease, requestRescan, type Scenarios } from './chain-scenarios.ts';
import { setChainStage, TWO_SOURCES_ABOVE_SATS, type ChainStage } from './chain-stage.ts';
import type { DelayAnswer } from './delays/judge-delays.ts';
import { IMPORTED_AMOUNT, importOrders, openOrders, type OpenOrder } from './import-orders.ts';
import { judgeInvoices, type Judged } from './judge/judge-invoices.ts';
import { liveChain, type Life } from './live-chain.ts';
import { behave } from './payer-behaviours.ts';
import { verdict } from '../shared/verdict.ts';
import { watchDelays } from './delays/watch-delays.ts';
import { breakWatchers, type WatcherFaults } from './watcher-faults.ts';

/*
 * Invoices are sold on real nodes of both chains and paid in every way there is, while blocks are mined and taken back, nodes
 * restart and crash, and watchers are killed, frozen, or all away for many blocks. Then the faults end, and each invoice is
 * decided from what was broadcast and what the nodes held at every moment. Nothing of that is read from Paywatch.
 */

const SECONDS = 300;
const SELL_EVERY_MS = 150;
/** From the sale to the last thing that happens to an invoice: its time to pay, the grace, and what comes late. */
const LIFE_MS = 122_000;
const EARLY_MONEY_EVERY_MS = 10_000;
const RESCAN_EVERY_MS = 40_000;
/** Deeper than most reorganisations. */
const RESCANNED_BLOCKS = 12;
const IMPORTED_ORDERS = 5;
const BEFORE_IMPORT_MS = 4000;
/** Of all invoices, how many may have several right answers. */
const UNDECIDABLE_SHARE = 0.01;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const { terminal } = options;
  const stage = await terminal.step('Starting Paywatch on a bitcoin and a litecoin node', () =>
    setChainStage(parts),
  );
  const business: Business = { sold: [...stage.opening], scenarios: noScenarios() };
  const { sold } = business;
  const lives = await Promise.all((['BTC', 'LTC'] as const).map((currency) => begin(stage, currency, sold)));
  const faults = await terminal.step(
    'Selling, paying, mining and breaking',
    () => trouble(stage, lives, business, options),
    () => `${sold.length} invoices`,
  );
  const judged = await terminal.step(
    'Deciding every invoice from the nodes alone',
    () => judgeInvoices(stage, lives.map(witnessed), sold),
    ({ undecidable }) => `${undecidable.length} of them have several right answers`,
  );
  for (const difference of judged.differences.slice(0, 20)) terminal.line(`  ${difference}`);
  for (const open of judged.undecidable.slice(0, 5)) terminal.line(`  several right answers: ${open}`);
  return figures(stage, { lives, business, faults, judged });
};

/** A chain on which invoices are sold, with what payers are shown of it. */
type Witness = Omit<Life, 'answers'> & { answers: DelayAnswer[] };

async function begin(stage: ChainStage, currency: Currency, sold: readonly Sold[]): Promise<Witness> {
  const { nodes, payers } = stage.stack;
  return { chain: await openPayers(nodes[currency], payers[currency]), sold, acts: [], answers: [] };
}

const witnessed = ({ chain: { currency, history }, answers }: Witness) => ({ currency, history, answers });

async function trouble(
  stage: ChainStage,
  lives: readonly Witness[],
  business: Business,
  { seed, seconds, share }: MeasurementOptions,
): Promise<WatcherFaults> {
  const ending = new AbortController();
  const { signal } = ending;
  const sellMs = Math.max(10_000, (seconds ?? SECONDS * share) * 1000 - LIFE_MS);
  const untilMs = Date.now() + sellMs + LIFE_MS;
  const watching = lives.map(({ chain: { currency }, answers }) =>
    watchDelays(stage, { currency, sold: business.sold, answers }, signal),
  );
  const histories = lives.map(({ chain }) => chain.history);
  const faulting = breakWatchers(stage, histories, { seed, signal });
  try {
    await Promise.all([
      sellAll(stage, lives, business, {
        random: createSeededRandom(seed + 100),
        untilMs: Date.now() + sellMs,
      }),
      ...lives.map((life, index) =>
        liveChain(life, { random: createSeededRandom(seed + 200 + index), untilMs }),
      ),
    ]);
  } finally {
    ending.abort();
  }
  const [faults] = await Promise.all([faulting, ...watching]);
  await Promise.all(lives.map(({ chain }) => chain.calmDown()));
  return faults;
}

/** Sells an invoice after the other, lets its payer plan what to do, and brings the special situations about. */
async function sellAll(
  stage: ChainStage,
  lives: readonly Witness[],
  business: Business,
  { random, untilMs }: { random: SeededRandom; untilMs: number },
): Promise<void> {
  const spare: Record<Currency, Sold[]> = { BTC: [], LTC: [] };
  const startMs = Date.now();
  const moves = planMoves(stage, lives, business, { random, startMs, untilMs });
  while (Date.now() < untilMs) {
    const { chain, acts } = random.pick(lives);
    const { shop, order } = nextOrder(stage, chain.currency, random);
    const invoice = await shop.sell(order);
    if (invoice !== null) {
      countSale(stage, business, invoice);
      business.sold.push(invoice);
      acts.push(...behave(invoice, spare[chain.currency], random, Date.now()));
    }
    const move = moves.findIndex(({ atMs }) => atMs <= Date.now());
    if (move !== -1) await moves.splice(move, 1)[0]?.happen();
    await sleep(SELL_EVERY_MS / 2 + random.integer(SELL_EVERY_MS));
  }
}

/** What is sold, and how often the special situations came about. */
type Business = { sold: Sold[]; scenarios: Scenarios };

function countSale({ shops, liar }: ChainStage, { sold, scenarios }: Business, invoice: Sold): void {
  const isAgain = sold.some(({ scriptHex }) => scriptHex === invoice.scriptHex);
  if (isAgain) scenarios.leases_again += 1;
  if (invoice.shop === shops.guest) scenarios.invoices_of_shared_key += 1;
  if (invoice.currency !== 'BTC') return;
  if (invoice.terms.type === 'order' && invoice.terms.asked > TWO_SOURCES_ABOVE_SATS)
    scenarios.orders_for_two_sources += 1;
  // Who believes the liar confirms an order that nobody has paid.
  liar.invent([{ scriptHex: invoice.scriptHex, amount: invoice.terms.asked }]);
}

type Move = { atMs: number; happen: () => Promise<void> };

/** Money before leases every ten seconds, rescans every forty, and in the middle a new wallet. */
function planMoves(
  stage: ChainStage,
  lives: readonly Witness[],
  { sold, scenarios }: Business,
  { random, startMs, untilMs }: { random: SeededRandom; startMs: number; untilMs: number },
): Move[] {
  const every = (ms: number, happen: (life: Witness) => Promise<void>): Move[] =>
    Array.from({ length: Math.floor((untilMs - startMs) / ms) }, (_, index) => ({
      atMs: startMs + (index + 1) * ms,
      happen: () => happen(random.pick(lives)),
    }));
  const payEarly = async ({ chain: { currency }, acts }: Witness): Promise<void> => {
    const act = paysBeforeLease(sold, stage.shops.main, currency, random);
    acts.push({ atMs: Date.now(), invoice: null, isLate: false, act });
    scenarios.money_before_lease += 1;
  };
  const rescan = async ({ chain: { currency, history } }: Witness): Promise<void> => {
    await requestRescan(stage, currency, Math.max(1, history.tip().height - RESCANNED_BLOCKS));
    scenarios.rescans += 1;
  };
  const moveWallet = async ({ chain: { currency } }: Witness): Promise<void> => {
    const { moving } = stage.shops;
    scenarios.invoices_of_former_wallet += sold.filter(
      (one) => one.shop === moving && one.currency === currency && one.terms.deadlineMs.earliest > Date.now(),
    ).length;
    await moving.replaceWallet(currency);
    scenarios.wallets_replaced += 1;
  };
  const takeOver = async ({ chain: { currency }, acts }: Witness): Promise<void> => {
    const { importing } = stage.shops;
    const orders = openOrders(currency, IMPORTED_ORDERS);
    const addresses = importing.addresses(currency);
    // The first is paid before the import, the second after it, the third by half, the others never.
    const pays = ({ addressIndex }: OpenOrder, amount: bigint, afterMs: number): void =>
      void acts.push({
        atMs: Date.now() + afterMs,
        invoice: null,
        isLate: false,
        act: (chain) => chain.pay([{ to: addresses.addressAt(addressIndex), amount }]),
      });
    const [first, second, third] = orders;
    if (first) pays(first, IMPORTED_AMOUNT, 1000);
    await sleep(BEFORE_IMPORT_MS);
    sold.push(...(await importOrders(stage, importing, currency, orders)));
    if (second) pays(second, IMPORTED_AMOUNT, 1000);
    if (third) pays(third, IMPORTED_AMOUNT / 2n, 1000);
    scenarios.imported_orders += orders.length;
  };
  const middle = (untilMs - startMs) / 2;
  return [
    ...lives.map((life, index) => ({ atMs: startMs + 3000 * index, happen: () => takeOver(life) })),
    ...every(EARLY_MONEY_EVERY_MS, payEarly),
    ...every(RESCAN_EVERY_MS, rescan),
    ...lives.map((life, index) => ({
      atMs: startMs + middle + 5000 * index,
      happen: () => moveWallet(life),
    })),
  ];
}

function figures(
  stage: ChainStage,
  {
    lives,
    business,
    faults,
    judged,
  }: { lives: readonly Witness[]; business: Business; faults: WatcherFaults; judged: Judged },
): Figure[] {
  const { sold } = business;
  const { differences, undecidable, statuses } = judged;
  const counts = sumOf(lives.map(({ chain }) => chain.counts));
  const of = (...names: string[]): number => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const { kills, freezes, blackouts } = faults;
  const nodeFaults = of('reorganisations', 'node_crashes', 'node_restarts');
  const share = undecidable.length / Math.max(1, sold.length);
  return [
    { name: 'operations', value: sold.length + of('payments', 'replacements', 'peg_outs') },
    { name: 'faults', value: kills + freezes + blackouts + nodeFaults },
    ...Object.entries({ kills, freezes, blackouts, ...counts }).map(([name, value]) => ({ name, value })),
    ...Object.entries(scenariosOf(stage, business)).map(([name, value]) => ({
      name: `scenario_${name}`,
      value,
    })),
    { name: 'invoices', value: sold.length },
    ...Object.entries(statuses).map(([name, value]) => ({ name: `invoices_${name}`, value })),
    { name: 'differences', value: differences.length, reach: { atMost: 0 } },
    { name: 'undecidable', value: undecidable.length },
    { name: 'undecidable_share', value: share, reach: { atMost: UNDECIDABLE_SHARE } },
    ...verdict({
      invoices_that_differ: new Set(differences.map((difference) => difference.split(':')[0])).size,
      too_many_undecidable: share > UNDECIDABLE_SHARE ? 1 : 0,
    }),
  ];
}

function scenariosOf({ liar }: ChainStage, { sold, scenarios }: Business): Record<string, number> {
  return {
    ...scenarios,
    answers_with_invented_blocks: liar.lies(),
    extensions: sold.filter(({ sale }) => sale.extension !== null).length,
  };
}

/** By name, in the order of their names. Of depths the deepest is kept. */
function sumOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = [...new Set(all.flatMap((counts) => Object.keys(counts)))].toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const values = all.map((counts) => counts[name] ?? 0);
      const isDepth = name === 'deepest_reorganisation';
      return [name, isDepth ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0)];
    }),
  );
}
