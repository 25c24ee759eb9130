import {
  createSeededRandom,
  type Currency,
  type Figure,
  type Measure,
  type MeasurementOptions,
  type SeededRandom,
} from '@paywatch/dev';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPayers, type ChainPayers } from './chain-payers.ts';
import { GRACE_SECONDS, setChainStage, type ChainStage, type Sold } from './chain-stage.ts';
import { compareInvoice } from './compare-invoice.ts';
import { decideFromHistory, type Answer, type Terms } from './decide-from-history.ts';
import { behave, type Act } from './payer-behaviours.ts';
import { isCalm, troubleProcesses, type FaultCounts } from './process-faults.ts';

/*
 * Invoices are sold on real nodes of both chains and paid in every way there is, while blocks are mined and taken back, nodes
 * restart and crash, and watchers are killed, frozen, or all away for many blocks. Then the faults end, and each invoice is
 * decided from what was broadcast and what the nodes held at every moment. Nothing of that is read from Paywatch.
 */

const SECONDS = 120;
const SELL_EVERY_MS = 150;
/** From the sale to the last thing that happens to an invoice: its time to pay, the grace, and what comes late. */
const LIFE_MS = 85_000;
/** How long a blackout is. The first outlasts a fresh view: nobody's time ends so early. */
const FIRST_BLACKOUT_MS = 33_000;
const BLACKOUT_MS = 8000;
/** How long Paywatch may take to agree once everything is calm. */
const SETTLE_MS = 45_000;

export const run: Measure = async (options) => {
  await using parts = new AsyncDisposableStack();
  const { terminal } = options;
  const stage = await terminal.step('Starting Paywatch on a bitcoin and a litecoin node', () =>
    setChainStage(parts),
  );
  const { nodes, payers } = stage.stack;
  const chains = await Promise.all(
    (['BTC', 'LTC'] as const).map((currency) => openPayers(nodes[currency], payers[currency])),
  );
  const sold: Sold[] = [];
  const delays: Delay[] = [];
  const faults = await terminal.step(
    'Selling, paying, mining and breaking',
    () => trouble(stage, chains, { sold, delays }, options),
    () => `${sold.length} invoices`,
  );
  const judged = await terminal.step(
    'Deciding every invoice from the nodes alone',
    () => untilAgreed(stage, chains, { sold, delays }),
    ({ undecidable }) => `${undecidable.length} of them have several right answers`,
  );
  for (const difference of judged.differences.slice(0, 20)) terminal.line(`  ${difference}`);
  for (const open of judged.undecidable.slice(0, 5)) terminal.line(`  several right answers: ${open}`);
  return figures(chains, sold, faults, judged);
};

/** When the public view said that the view of a chain lags. */
type Delay = { currency: Currency; fromMs: number; toMs: number };
type Sales = { sold: Sold[]; delays: Delay[] };

type Faults = FaultCounts & { blackouts: number };

async function trouble(
  stage: ChainStage,
  chains: readonly ChainPayers[],
  { sold, delays }: Sales,
  { seed, seconds, share }: MeasurementOptions,
): Promise<Faults> {
  const ending = new AbortController();
  const sellMs = Math.max(10_000, (seconds ?? SECONDS * share) * 1000 - LIFE_MS);
  const acts = new Map<Currency, Act[]>(chains.map(({ currency }) => [currency, []]));
  const untilMs = Date.now() + sellMs + LIFE_MS;
  const watching = watchDelays(stage, { sold, delays }, ending.signal);
  const faulting = breakWatchers(stage, chains, { seed, signal: ending.signal });
  try {
    await Promise.all([
      sellAll(stage, sold, acts, { random: createSeededRandom(seed + 100), untilMs: Date.now() + sellMs }),
      ...chains.map((chain, index) =>
        live(chain, sold, acts.get(chain.currency) ?? [], {
          random: createSeededRandom(seed + 200 + index),
          untilMs,
        }),
      ),
    ]);
  } finally {
    ending.abort();
  }
  const faults = await faulting;
  await watching;
  await Promise.all(chains.map((chain) => calmDown(chain)));
  return faults;
}

type Span = { random: SeededRandom; untilMs: number };

/** Sells an invoice after the other, and lets its payer plan what to do. */
async function sellAll(
  stage: ChainStage,
  sold: Sold[],
  acts: ReadonlyMap<Currency, Act[]>,
  { random, untilMs }: Span,
): Promise<void> {
  const spare: Record<Currency, Sold[]> = { BTC: [], LTC: [] };
  while (Date.now() < untilMs) {
    const currency = random.pick(['BTC', 'LTC'] as const);
    const type = random.happens(0.8) ? 'order' : 'donation';
    const amount = BigInt(random.pick([60_000, 400_000, 2_000_000]) + random.integer(10_000));
    const invoice = await stage.sell(currency, type, amount);
    sold.push(invoice);
    acts.get(currency)?.push(...behave(invoice, spare[currency], random, Date.now()));
    await sleep(SELL_EVERY_MS / 2 + random.integer(SELL_EVERY_MS));
  }
}

/** One chain: payers act when their time has come, blocks are mined and taken back, the node restarts. */
async function live(
  chain: ChainPayers,
  sold: readonly Sold[],
  acts: Act[],
  { random, untilMs }: Span,
): Promise<void> {
  const nowMs = Date.now();
  let next = {
    mine: nowMs + 1000,
    shallow: nowMs + 8000,
    deep: nowMs + 45_000 + random.integer(10_000),
    restart: nowMs + 15_000 + random.integer(15_000),
  };
  while (Date.now() < untilMs || acts.length > 0) {
    const now = Date.now();
    const due = acts.filter(({ atMs }) => atMs <= now).toSorted((a, b) => a.atMs - b.atMs)[0];
    if (due) {
      acts.splice(acts.indexOf(due), 1);
      await due.act(chain);
    } else if (now >= next.restart && now < untilMs) {
      await chain.restart(random.happens(0.5) && chain.mayCrash());
      next = { ...next, restart: Date.now() + 20_000 + random.integer(20_000) };
    } else if (now >= next.deep && now < untilMs) {
      const depth = random.happens(0.3) ? 40 + random.integer(55) : 12 + random.integer(14);
      await chain.reorg(depth, victimsOf(chain, sold, depth, random));
      next = { ...next, deep: Date.now() + 25_000 + random.integer(15_000) };
    } else if (now >= next.shallow && now < untilMs) {
      await chain.reorg(1 + random.integer(4), []);
      next = { ...next, shallow: Date.now() + 6000 + random.integer(8000) };
    } else if (now >= next.mine) {
      await chain.mine(random.happens(0.1) ? 3 + random.integer(8) : 1);
      next = { ...next, mine: Date.now() + 600 + random.integer(1800) };
    } else await sleep(25);
  }
}

/** Payments that the new branch takes back: old enough that everybody has seen them confirmed. */
function victimsOf(
  { history }: ChainPayers,
  sold: readonly Sold[],
  depth: number,
  random: SeededRandom,
): string[] {
  const lowest = history.tip().height - depth + 1;
  const old = history.sent.filter(({ sentMs, isPegOut }) => !isPegOut && Date.now() - sentMs > 30_000);
  const within = old.filter(({ txid }) => (history.heightOf(txid) ?? 0) >= lowest);
  const paying = within.filter(({ outputs }) =>
    outputs.some((output) => sold.some(({ scriptHex }) => scriptHex === output.scriptHex)),
  );
  return paying.length === 0 ? [] : [random.pick(paying).txid];
}

/** Nothing is left to come: what is not to be forgotten is mined deep. */
async function calmDown(chain: ChainPayers): Promise<void> {
  if (await chain.remembers()) await chain.restart(true);
  for (const txid of chain.heldBack) chain.release(txid);
  await chain.resend();
  for (let block = 0; block < 8; block += 1) await chain.mine(1);
}

/** Kills and freezes watchers and workers, and takes all watchers away for a while, again and again. All run when it resolves. */
async function breakWatchers(
  { stack }: ChainStage,
  chains: readonly ChainPayers[],
  { seed, signal }: { seed: number; signal: AbortSignal },
): Promise<Faults> {
  const faults = { kills: 0, freezes: 0, blackouts: 0 };
  const { watcher: watchers, webhookWorker: workers } = stack.services;
  for (let round = 0; !signal.aborted; round += 1) {
    await takeAllAway(watchers, chains, round === 0 ? FIRST_BLACKOUT_MS : BLACKOUT_MS, signal);
    faults.blackouts += 1;
    const pause = AbortSignal.any([signal, AbortSignal.timeout(25_000)]);
    const victims = [...watchers, ...workers].map((service) => ({ service, longestFreezeMs: 7000 }));
    const counts = await troubleProcesses(victims, { seed: seed + 10 * round, signal: pause });
    faults.kills += counts.kills;
    faults.freezes += counts.freezes;
  }
  return faults;
}

async function takeAllAway(
  watchers: ChainStage['stack']['services']['watcher'],
  chains: readonly ChainPayers[],
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  for (const { history } of chains) history.setOutage(true);
  await Promise.all(watchers.map((watcher) => watcher.kill()));
  await isCalm(ms, signal);
  await Promise.all(watchers.map((watcher) => watcher.restart()));
  for (const { history } of chains) history.setOutage(false);
}

const LOOK_AT_DELAY_MS = 1000;
/** As long as a view is fresh without a good answer from its chain. */
const FRESH_MS = 30_000;

/** Writes down when the payers' page said that the view of a chain lags. */
async function watchDelays(stage: ChainStage, { sold, delays }: Sales, signal: AbortSignal): Promise<void> {
  while (await isCalm(LOOK_AT_DELAY_MS, signal)) {
    for (const currency of ['BTC', 'LTC'] as const) {
      const invoice = sold.find((each) => each.currency === currency);
      if (!invoice || !(await stage.isDelayed(invoice.publicId))) continue;
      const nowMs = Date.now();
      const last = delays.findLast((delay) => delay.currency === currency);
      if (last && nowMs - last.toMs < 3 * LOOK_AT_DELAY_MS) last.toMs = nowMs;
      else delays.push({ currency, fromMs: nowMs, toMs: nowMs });
    }
  }
}

/** A time to pay that ended while the view lagged ends a grace after it had caught up. */
function postponed(
  { deadlineMs: { earliest, latest } }: Terms,
  delays: readonly Delay[],
): Terms['deadlineMs'] {
  const over = delays.filter(
    ({ fromMs, toMs }) =>
      earliest > fromMs - FRESH_MS - 2 * LOOK_AT_DELAY_MS && earliest < toMs + 2 * LOOK_AT_DELAY_MS,
  );
  const ends = over.map(({ toMs }) => toMs + 2 * LOOK_AT_DELAY_MS + GRACE_SECONDS * 1000);
  return { earliest, latest: Math.max(latest, ...ends) };
}

type Judged = { differences: string[]; undecidable: string[]; statuses: Record<string, number> };

/** Compares until there is no difference, or for as long as Paywatch may take. */
async function untilAgreed(stage: ChainStage, chains: readonly ChainPayers[], sales: Sales): Promise<Judged> {
  const untilMs = Date.now() + SETTLE_MS;
  await Promise.all(chains.map(({ history }) => history.note()));
  for (;;) {
    const judged = await judge(stage, chains, sales);
    if (judged.differences.length === 0 || Date.now() > untilMs) return judged;
    await sleep(2000);
  }
}

async function judge(
  stage: ChainStage,
  chains: readonly ChainPayers[],
  { sold, delays }: Sales,
): Promise<Judged> {
  const judged: Judged = { differences: [], undecidable: [], statuses: {} };
  for (const { publicId, currency, scriptHex, terms } of sold) {
    const history = chains.find((chain) => chain.currency === currency)?.history;
    if (!history) throw new Error(`${currency} has no history`);
    const { money, views, blocks } = history.of(scriptHex);
    const view = views.at(-1);
    if (!view) throw new Error('a history has a view');
    const believed = {
      ...terms,
      deadlineMs: postponed(
        terms,
        delays.filter((delay) => delay.currency === currency),
      ),
    };
    const answers = decideFromHistory(believed, money, views);
    const shown = await stage.show(publicId);
    const heard = stage.heardOf(publicId);
    const found = compareInvoice({ terms: believed, scriptHex, money, answers, view, blocks, shown, heard });
    judged.differences.push(...found.map((difference) => `${currency} ${publicId}: ${difference}`));
    if (!isDecided(answers)) {
      judged.undecidable.push(
        `${currency} ${publicId} (${money.length} payments): ${JSON.stringify(answers)}`,
      );
    }
    judged.statuses[shown.status] = (judged.statuses[shown.status] ?? 0) + 1;
    if (shown.reversed) judged.statuses['reversed'] = (judged.statuses['reversed'] ?? 0) + 1;
  }
  return judged;
}

/** Whether only one outcome is right: which payments are late is compared one by one. */
function isDecided(answers: readonly Answer[]): boolean {
  const outcomes = answers.map(({ status, isReversed, events }) => [status, isReversed, ...events].join());
  return new Set(outcomes).size === 1;
}

function figures(
  chains: readonly ChainPayers[],
  sold: readonly Sold[],
  { kills, freezes, blackouts }: Faults,
  { differences, undecidable, statuses }: Judged,
): Figure[] {
  const names = [...new Set(chains.flatMap(({ counts }) => Object.keys(counts)))].toSorted();
  const total = (name: string): number =>
    name === 'deepest_reorganisation'
      ? Math.max(...chains.map(({ counts }) => counts[name] ?? 0))
      : chains.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0);
  const nodeFaults = ['reorganisations', 'node_crashes', 'node_restarts'].reduce(
    (sum, name) => sum + total(name),
    0,
  );
  const wrong = new Set(differences.map((difference) => difference.split(':')[0])).size;
  return [
    {
      name: 'operations',
      value: sold.length + total('payments') + total('replacements') + total('peg_outs'),
    },
    { name: 'faults', value: kills + freezes + blackouts + nodeFaults },
    { name: 'kills', value: kills },
    { name: 'freezes', value: freezes },
    { name: 'blackouts', value: blackouts },
    ...names.map((name) => ({ name, value: total(name) })),
    { name: 'invoices', value: sold.length },
    ...Object.entries(statuses).map(([name, value]) => ({ name: `invoices_${name}`, value })),
    {
      name: 'undecidable_share',
      value: undecidable.length / Math.max(1, sold.length),
      reach: { atMost: 0.02 },
    },
    { name: 'invoices_that_differ', value: wrong, reach: { atMost: 0 } },
    { name: 'violations', value: wrong, reach: { atMost: 0 } },
  ];
}
