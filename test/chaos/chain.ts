import {
  createSeededRandom,
  type Currency,
  type Figure,
  type Measure,
  type MeasurementOptions,
  type SeededRandom,
} from '@paywatch/dev';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delay } from './chain-deadlines.ts';
import { openPayers } from './chain-payers.ts';
import { setChainStage, type ChainStage, type Sold } from './chain-stage.ts';
import { judgeInvoices, type Judged } from './judge-invoices.ts';
import { liveChain, type Life } from './live-chain.ts';
import { behave } from './payer-behaviours.ts';
import { verdict } from './verdict.ts';
import { watchDelays } from './watch-delays.ts';
import { breakWatchers, type WatcherFaults } from './watcher-faults.ts';

/*
 * Invoices are sold on real nodes of both chains and paid in every way there is, while blocks are mined and taken back, nodes
 * restart and crash, and watchers are killed, frozen, or all away for many blocks. Then the faults end, and each invoice is
 * decided from what was broadcast and what the nodes held at every moment. Nothing of that is read from Paywatch.
 */

const SECONDS = 180;
const SELL_EVERY_MS = 150;
/** From the sale to the last thing that happens to an invoice: its time to pay, the grace, and what comes late. */
const LIFE_MS = 122_000;
/** Of all invoices, how many may have several right answers. */
const UNDECIDABLE_SHARE = 0.02;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const { terminal } = options;
  const stage = await terminal.step('Starting Paywatch on a bitcoin and a litecoin node', () =>
    setChainStage(parts),
  );
  const sold: Sold[] = [];
  const lives = await Promise.all((['BTC', 'LTC'] as const).map((currency) => begin(stage, currency, sold)));
  const faults = await terminal.step(
    'Selling, paying, mining and breaking',
    () => trouble(stage, lives, sold, options),
    () => `${sold.length} invoices`,
  );
  const judged = await terminal.step(
    'Deciding every invoice from the nodes alone',
    () => judgeInvoices(stage, lives.map(witnessed), sold),
    ({ undecidable }) => `${undecidable.length} of them have several right answers`,
  );
  for (const difference of judged.differences.slice(0, 20)) terminal.line(`  ${difference}`);
  for (const open of judged.undecidable.slice(0, 5)) terminal.line(`  several right answers: ${open}`);
  return figures(lives, sold, faults, judged);
};

/** A chain on which invoices are sold, with what payers are shown of it. */
type Witness = Omit<Life, 'delays'> & { delays: Delay[] };

async function begin(stage: ChainStage, currency: Currency, sold: readonly Sold[]): Promise<Witness> {
  const { nodes, payers } = stage.stack;
  return { chain: await openPayers(nodes[currency], payers[currency]), sold, acts: [], delays: [] };
}

const witnessed = ({ chain: { currency, history }, delays }: Witness) => ({ currency, history, delays });

async function trouble(
  stage: ChainStage,
  lives: readonly Witness[],
  sold: Sold[],
  { seed, seconds, share }: MeasurementOptions,
): Promise<WatcherFaults> {
  const ending = new AbortController();
  const { signal } = ending;
  const sellMs = Math.max(10_000, (seconds ?? SECONDS * share) * 1000 - LIFE_MS);
  const untilMs = Date.now() + sellMs + LIFE_MS;
  const watching = lives.map(({ chain: { currency }, delays }) =>
    watchDelays(stage, { currency, sold, delays }, signal),
  );
  const histories = lives.map(({ chain }) => chain.history);
  const faulting = breakWatchers(stage, histories, { seed, signal });
  try {
    await Promise.all([
      sellAll(stage, lives, sold, { random: createSeededRandom(seed + 100), untilMs: Date.now() + sellMs }),
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

/** Sells an invoice after the other, and lets its payer plan what to do. */
async function sellAll(
  stage: ChainStage,
  lives: readonly Witness[],
  sold: Sold[],
  { random, untilMs }: { random: SeededRandom; untilMs: number },
): Promise<void> {
  const spare: Record<Currency, Sold[]> = { BTC: [], LTC: [] };
  while (Date.now() < untilMs) {
    const { chain, acts } = random.pick(lives);
    const type = random.happens(0.8) ? 'order' : 'donation';
    const amount = BigInt(random.pick([60_000, 400_000, 2_000_000]) + random.integer(10_000));
    const invoice = await stage.sell(chain.currency, type, amount);
    sold.push(invoice);
    acts.push(...behave(invoice, spare[chain.currency], random, Date.now()));
    await sleep(SELL_EVERY_MS / 2 + random.integer(SELL_EVERY_MS));
  }
}

function figures(
  lives: readonly Witness[],
  sold: readonly Sold[],
  faults: WatcherFaults,
  { differences, undecidable, statuses }: Judged,
): Figure[] {
  const counts = sumOf(lives.map(({ chain }) => chain.counts));
  const of = (...names: string[]): number => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const { kills, freezes, blackouts } = faults;
  const nodeFaults = of('reorganisations', 'node_crashes', 'node_restarts');
  const share = undecidable.length / Math.max(1, sold.length);
  return [
    { name: 'operations', value: sold.length + of('payments', 'replacements', 'peg_outs') },
    { name: 'faults', value: kills + freezes + blackouts + nodeFaults },
    ...Object.entries({ kills, freezes, blackouts, ...counts }).map(([name, value]) => ({ name, value })),
    { name: 'invoices', value: sold.length },
    ...Object.entries(statuses).map(([name, value]) => ({ name: `invoices_${name}`, value })),
    { name: 'undecidable_share', value: share, reach: { atMost: UNDECIDABLE_SHARE } },
    ...verdict({
      invoices_that_differ: new Set(differences.map((difference) => difference.split(':')[0])).size,
      too_many_undecidable: share > UNDECIDABLE_SHARE ? 1 : 0,
    }),
  ];
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
