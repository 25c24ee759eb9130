import type { Figure, Measure, MeasurementOptions, Terminal } from '@paywatch/dev/commands';
import { createSeededRandom } from '@paywatch/dev/testing';
import type { Currency } from '@paywatch/dev/wallet';
import { countAll } from './chain-counts.ts';
import { goalsOf, missedGoals, scenarioFigures, type Counts } from './chain-goals.ts';
import type { Business } from './chain-moves.ts';
import { openPayers } from './payers/chain-payers.ts';
import { sellAll } from './chain-sales.ts';
import { noScenarios } from './chain-scenarios.ts';
import type { Sold } from './chain-shops.ts';
import { setChainStage, type ChainStage } from './chain-stage.ts';
import type { DelayAnswer } from './delays/judge-delays.ts';
import { keepEvidence } from './keep-evidence.ts';
import { judgeInvoices, type Judged } from './judge/judge-invoices.ts';
import { liveChain, type Life } from './live-chain.ts';
import { isCalm } from '../shared/process-faults.ts';
import { verdict } from '../shared/verdict.ts';
import { watchPage } from './delays/watch-page.ts';
import { watchStatus } from './delays/watch-status.ts';
import { breakWatchers, type WatcherFaults } from './faults/watcher-faults.ts';

/*
 * Invoices are sold on real nodes of both chains and paid in every way there is, while blocks are mined and taken back, nodes
 * restart and crash, and watchers are killed, frozen, or all away for many blocks. Then the faults end, and each invoice is
 * decided from what was broadcast and what the nodes held at every moment. Nothing of that is read from Paywatch. Only the times at which its
 * view of a chain was stale or complete are, and they are checked against the outages. A run goes on until every situation has happened as often as its goal says, however slow the machine is; one that misses a goal fails.
 */

/** Of selling and what follows it, at least. */
const SECONDS = 300;
/** From the sale to the last thing that happens to an invoice: its time to pay, the grace, and what comes late. */
const LIFE_MS = 122_000;
/** A run that has not reached its goals by then has hung. */
const HUNG_AFTER_MS = 2_400_000;
const CHECK_GOALS_EVERY_MS = 2000;
const PRINT_GOALS_EVERY_MS = 120_000;
/** Of all invoices, how many may have several right answers. */
const UNDECIDABLE_SHARE = 0.01;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const { terminal } = options;
  const stage = await terminal.step('Starting Paywatch on a bitcoin and a litecoin node', () =>
    setChainStage(parts),
  );
  const business: Business = { sold: [...stage.opening], earlyMoney: [], scenarios: noScenarios() };
  const { sold } = business;
  const lives = await Promise.all((['BTC', 'LTC'] as const).map((currency) => begin(stage, currency, sold)));
  parts.use(watchPublic(stage, lives, sold));
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
  if (judged.differences.length > 0)
    terminal.line(`  logs and tables: ${await keepEvidence(stage.stack, options.seed)}`);
  for (const open of judged.undecidable.slice(0, 20)) terminal.line(`  several right answers: ${open}`);
  const counts = countAtEnd(stage, lives, business, { faults, judged });
  const goals = goalsOf('run', options.share);
  for (const missed of missedGoals(counts, goals)) terminal.line(`  incomplete run: ${missed}`);
  return figures(judged, counts, goals);
};

/** A chain on which invoices are sold, with what payers are shown of it. */
type Witness = Omit<Life, 'answers'> & { answers: DelayAnswer[] };

async function begin(stage: ChainStage, currency: Currency, sold: readonly Sold[]): Promise<Witness> {
  const { nodes, payers } = stage.stack;
  return { chain: await openPayers(nodes[currency], payers[currency]), sold, acts: [], answers: [] };
}

/** Records what the payment pages and the status page show, until it is disposed of: deadlines move while views are stale. */
function watchPublic(stage: ChainStage, lives: readonly Witness[], sold: readonly Sold[]): AsyncDisposable {
  const ending = new AbortController();
  const chains = lives.map(({ chain }) => chain);
  const watching = Promise.all([
    watchStatus(stage, chains, ending.signal),
    ...lives.map(({ chain: { currency, history }, answers }) =>
      watchPage(stage, { currency, sold, history, answers }, ending.signal),
    ),
  ]);
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
  options: MeasurementOptions,
): Promise<WatcherFaults> {
  const ending = new AbortController();
  // Not at the end: late payments wait until the delayed watchers have caught up.
  const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(HUNG_AFTER_MS)]);
  const { seed } = options;
  const chains = lives.map(({ chain }) => chain);
  const histories = chains.map(({ history }) => history);
  const faulting = breakWatchers(stage, histories, { seed, signal });
  const living = lives.map((life, index) =>
    liveChain(life, { random: createSeededRandom(seed + 200 + index), signal }),
  );
  try {
    const selling = sellEnough(stage, lives, business, options, signal);
    await Promise.all([selling.then(() => ending.abort()), ...living]);
  } finally {
    ending.abort();
  }
  const faults = await faulting;
  await Promise.all(chains.map((chain) => chain.calmDown()));
  return faults;
}

/** Sells until all that selling is to bring about has happened, and leaves the last invoice the time of its life. */
async function sellEnough(
  stage: ChainStage,
  lives: readonly Witness[],
  business: Business,
  { seed, seconds, share, terminal }: MeasurementOptions,
  signal: AbortSignal,
): Promise<void> {
  const sellMs = Math.max(10_000, (seconds ?? SECONDS * share) * 1000 - LIFE_MS);
  const startMs = Date.now();
  const goals = goalsOf('selling', share);
  const chains = lives.map(({ chain }) => chain);
  const hasHappened = hasReached(goals, () => countAll(stage, chains, business), terminal);
  const shareOfTime = (): number => (Date.now() - startMs) / sellMs;
  await sellAll(stage, lives, business, {
    random: createSeededRandom(seed + 100),
    shareSold: () => Math.min(business.sold.length / (goals['invoices'] ?? 1), shareOfTime()),
    isEnough: () => hasHappened() && shareOfTime() >= 1,
    signal,
  });
  await isCalm(LIFE_MS, signal);
}

/** Counts at intervals only, because counting many invoices takes long. Prints at intervals what is missing. */
function hasReached(goals: Counts, count: () => Counts, terminal: Terminal): () => boolean {
  let [checkedMs, printedMs] = [0, Date.now()];
  let isReached = false;
  return () => {
    if (isReached || Date.now() < checkedMs + CHECK_GOALS_EVERY_MS) return isReached;
    const missed = missedGoals(count(), goals);
    isReached = missed.length === 0;
    checkedMs = Date.now();
    if (!isReached && checkedMs >= printedMs + PRINT_GOALS_EVERY_MS) {
      terminal.line(`  still to come: ${missed.join('; ')}`);
      printedMs = checkedMs;
    }
    return isReached;
  };
}

function countAtEnd(
  stage: ChainStage,
  lives: readonly Witness[],
  business: Business,
  { faults, judged }: { faults: WatcherFaults; judged: Judged },
): Counts {
  const { kills, freezes, blackouts, skewed } = faults;
  const statuses = Object.entries(judged.statuses).map(([status, count]) => [`invoices_${status}`, count]);
  return {
    kills,
    freezes,
    blackouts,
    processes_with_wrong_clock: skewed.size,
    ...countAll(
      stage,
      lives.map(({ chain }) => chain),
      business,
    ),
    ...(Object.fromEntries(statuses) as Counts),
  };
}

function figures({ differences, undecidable }: Judged, counts: Counts, goals: Counts): Figure[] {
  const of = (...names: string[]): number => names.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  const share = undecidable.length / Math.max(1, of('invoices'));
  return [
    { name: 'operations', value: of('invoices', 'payments', 'replacements', 'peg_outs') },
    {
      name: 'faults',
      value: of('kills', 'freezes', 'blackouts', 'reorganisations', 'node_crashes', 'node_restarts'),
    },
    ...scenarioFigures(counts, goals),
    { name: 'differences', value: differences.length, reach: { atMost: 0 } },
    { name: 'undecidable', value: undecidable.length },
    { name: 'undecidable_share', value: share, reach: { atMost: UNDECIDABLE_SHARE } },
    ...verdict({
      invoices_that_differ: new Set(differences.map((difference) => difference.split(':')[0])).size,
      too_many_undecidable: share > UNDECIDABLE_SHARE ? 1 : 0,
      incomplete_scenarios: missedGoals(counts, goals).length,
    }),
  ];
}
