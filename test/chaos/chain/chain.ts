import type { Figure, Measure, MeasurementOptions } from '@paywatch/dev/commands';
import { createSeededRandom, type SeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPayers } from './chain-payers.ts';
import type { Sold } from './chain-shops.ts';
import { planMoves, type Business } from './chain-moves.ts';
import { countWithinTolerance, nextOrder, noScenarios } from './chain-scenarios.ts';
import { setChainStage, TWO_SOURCES_ABOVE_SATS, type ChainStage } from './chain-stage.ts';
import type { DelayAnswer } from './delays/judge-delays.ts';
import { judgeInvoices, type Judged } from './judge/judge-invoices.ts';
import { liveChain, type Life } from './live-chain.ts';
import { behave } from './payer-behaviours.ts';
import { verdict } from '../shared/verdict.ts';
import { watchPage } from './delays/watch-page.ts';
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
  parts.use(watchPages(stage, lives, sold));
  const faults = await terminal.step(
    'Selling, paying, mining and breaking',
    () => trouble(stage, lives, business, options),
    () => `${sold.length} invoices`,
  );
  const judged = await terminal.step(
    'Deciding every invoice from the nodes alone',
    () => {
      const chains = lives.map((life) => witnessed(life, faults));
      return judgeInvoices(stage, chains, sold);
    },
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

/** Writes down what payers are shown until it is disposed of: deadlines move as long as views are stale. */
function watchPages(stage: ChainStage, lives: readonly Witness[], sold: readonly Sold[]): AsyncDisposable {
  const ending = new AbortController();
  const watching = Promise.all(
    lives.map(({ chain: { currency, history }, answers }) =>
      watchPage(stage, { currency, sold, history, answers }, ending.signal),
    ),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await watching;
    },
  };
}

const witnessed = (
  { chain: { currency, history }, answers }: Witness,
  { slowestStartMs }: WatcherFaults,
) => ({
  currency,
  history,
  answers,
  slowestStartMs,
});

async function trouble(
  stage: ChainStage,
  lives: readonly Witness[],
  business: Business,
  { seed, seconds, share }: MeasurementOptions,
): Promise<WatcherFaults> {
  const ending = new AbortController();
  const sellMs = Math.max(10_000, (seconds ?? SECONDS * share) * 1000 - LIFE_MS);
  const untilMs = Date.now() + sellMs + LIFE_MS;
  // Not once all is done: what is to be late waits until the watchers that are broken have caught up.
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(sellMs + LIFE_MS)]);
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
  const faults = await faulting;
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
  const moves = planMoves({ stage, business, random }, lives, { startMs, untilMs });
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
  stage.esploraAlone.end();
}

function countSale({ shops, liar }: ChainStage, { sold, scenarios }: Business, invoice: Sold): void {
  const isAgain = sold.some(({ scriptHex }) => scriptHex === invoice.scriptHex);
  if (isAgain) scenarios.leases_again += 1;
  if (invoice.shop === shops.guest) scenarios.invoices_of_shared_key += 1;
  if (
    sold.some(
      ({ shop, currency, sale }) => sale.imported && shop === invoice.shop && currency === invoice.currency,
    )
  )
    scenarios.invoices_after_import += 1;
  if (invoice.currency !== 'BTC') return;
  if (invoice.terms.type === 'order' && invoice.terms.asked > TWO_SOURCES_ABOVE_SATS)
    scenarios.orders_for_two_sources += 1;
  // Who believes the liar confirms an order that nobody has paid.
  liar.invent([{ scriptHex: invoice.scriptHex, amount: invoice.terms.asked }]);
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
    ...Object.entries(scenariosOf(stage, business, lives, faults)).map(([name, value]) => ({
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

function scenariosOf(
  { liar, esploraAlone }: ChainStage,
  { sold, scenarios }: Business,
  lives: readonly Witness[],
  { skewed }: WatcherFaults,
): Record<string, number> {
  return {
    ...scenarios,
    answers_with_invented_blocks: liar.lies(),
    extensions: sold.filter(({ sale }) => sale.extension !== null).length,
    orders_within_tolerance: countWithinTolerance(
      sold,
      lives.map(({ chain }) => chain),
    ),
    blocks_of_esplora_alone: esploraAlone.blocks(),
    node_clocks_changed: lives.reduce((sum, { chain }) => sum + (chain.counts['clock_skews'] ?? 0), 0),
    processes_with_wrong_clock: skewed.size,
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
