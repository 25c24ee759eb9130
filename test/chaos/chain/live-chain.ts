import type { SeededRandom } from '@paywatch/dev/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainPayers } from './payers/chain-payers.ts';
import type { Sold } from './chain-shops.ts';
import { CLOCK_SKEW_MS } from './chain-stage.ts';
import { delaysOf, type DelayAnswer } from './delays/judge-delays.ts';
import { TOLD_WITHIN_MS } from './judge/chain-deadlines.ts';
import { endOf } from './judge/judge-invoices.ts';
import { IN_TIME_BEFORE_MS, LATE_AFTER_MS, type Act } from './payers/payer-behaviours.ts';

/** What one chain's payers have before them, and what is known of its invoices. */
export type Life = {
  chain: ChainPayers;
  sold: readonly Sold[];
  /** Taken out as they are done. */
  acts: Act[];
  /** Whether payers were shown that the view of this chain lagged. */
  answers: readonly DelayAnswer[];
};

/**
 * One chain: payers act when their time has come, blocks are mined and taken back, the node restarts. After the signal payers do what is
 * left, without faults.
 */
export async function liveChain(
  life: Life,
  { random, signal }: { random: SeededRandom; signal: AbortSignal },
): Promise<void> {
  const { chain, acts } = life;
  const faults = [...planFaults(life, random), planMining(chain, random)];
  while (!signal.aborted) {
    const act = takeDue(life);
    const [next] = faults.filter(isDue).toSorted(byTime);
    if (act) await act.act(chain);
    else if (next) {
      await next.happen();
      next.nextMs = Date.now() + next.pauseMs();
    } else await sleep(25);
  }
  const untilMs = Date.now() + FINISHED_WITHIN_MS;
  while (acts.length > 0 && Date.now() < untilMs) await finish(life);
}

/** Then a Paywatch whose view stays stale for ever is judged as it is. Far longer than a slow machine takes. */
const FINISHED_WITHIN_MS = 1_200_000;

/** A block comes only after an act: watchers catch up in between, however slow the machine is, and every time to pay ends. */
async function finish(life: Life): Promise<void> {
  const act = takeDue(life);
  if (act) {
    await act.act(life.chain);
    await life.chain.mine(1);
  } else await sleep(25);
}

const ASK_AGAIN_MS = 500;

/** The first act whose time has come; what came too near to the end of the time to pay is left out. */
function takeDue({ chain, acts, answers }: Life): Act | null {
  const nowMs = Date.now();
  const due = acts.filter(({ atMs }) => atMs <= nowMs).toSorted((a, b) => a.atMs - b.atMs)[0];
  if (!due) return null;
  if (due.isLate && due.invoice && !isSurelyOver(due.invoice, chain, answers)) {
    due.atMs = nowMs + ASK_AGAIN_MS;
    return null;
  }
  acts.splice(acts.indexOf(due), 1);
  return isTooNear(due, nowMs) ? null : due;
}

function isTooNear({ isLate, invoice }: Act, nowMs: number): boolean {
  return !isLate && invoice !== null && nowMs > invoice.terms.deadlineMs.earliest - IN_TIME_BEFORE_MS;
}

function isSurelyOver(invoice: Sold, { history }: ChainPayers, answers: readonly DelayAnswer[]): boolean {
  const nowMs = Date.now();
  const ended = endOf(invoice, { ...history, delays: delaysOf(answers) }, nowMs);
  if (ended === null) return false;
  // On a slow machine nobody need have looked, and the end would still move.
  const isKnown = history.surelyLooked(ended.latest, nowMs) || nowMs > ended.latest + TOLD_WITHIN_MS;
  // By the node's clock, too.
  return isKnown && nowMs - history.behindMs() > ended.latest + LATE_AFTER_MS;
}

/** `isPossible` holds it back beyond its time. */
type Planned = {
  nextMs: number;
  pauseMs: () => number;
  isPossible?: () => boolean;
  happen: () => Promise<void>;
};

function isDue({ nextMs, isPossible = () => true }: Planned): boolean {
  return Date.now() >= nextMs && isPossible();
}

/** What has waited the longest comes first: none of them holds another one up for ever. */
function byTime(a: Planned, b: Planned): number {
  return a.nextMs - b.nextMs;
}

/** What was sent earlier has been seen, and what was sent since then is not due to end yet. */
const SEEN_WITHIN_MS = IN_TIME_BEFORE_MS - 10_000;

/** What goes wrong with a chain again and again. */
function planFaults(life: Life, random: SeededRandom): Planned[] {
  const { chain } = life;
  const nowMs = Date.now();
  let emptiedMs = nowMs;
  /**
   * An event that empties a mempool happens only after watchers had time to read what returned to it or arrived lately. Otherwise a
   * transaction that returns late may have been in time, which cannot be decided.
   */
  const emptying = (happen: () => Promise<void>): Pick<Planned, 'isPossible' | 'happen'> => ({
    isPossible: () => {
      const { surelyLooked } = chain.history;
      const untilMs = Date.now();
      return surelyLooked(emptiedMs, untilMs) && surelyLooked(untilMs - SEEN_WITHIN_MS, untilMs);
    },
    happen: async () => {
      await happen();
      emptiedMs = Date.now();
    },
  });
  return [
    {
      nextMs: nowMs + 15_000 + random.integer(15_000),
      pauseMs: () => 15_000 + random.integer(15_000),
      ...emptying(() => chain.restart(random.happens(0.5) && chain.mayCrash())),
    },
    {
      nextMs: nowMs + 45_000 + random.integer(10_000),
      pauseMs: () => 15_000 + random.integer(15_000),
      ...emptying(() => {
        const [low, deep] = [12 + random.integer(14), 40 + random.integer(55)];
        // Where watchers are slow, nothing that they have surely seen confirmed is near the tip.
        const depth = random.happens(0.3) || victimsOf(life, low, random).length === 0 ? deep : low;
        return chain.reorg(depth, victimsOf(life, depth, random));
      }),
    },
    {
      nextMs: nowMs + 20_000 + random.integer(20_000),
      pauseMs: () => 20_000 + random.integer(20_000),
      happen: () => chain.skewClock(random.pick([-CLOCK_SKEW_MS, CLOCK_SKEW_MS, 0])),
    },
    {
      nextMs: nowMs + 8000,
      pauseMs: () => 6000 + random.integer(8000),
      happen: () => chain.reorg(1 + random.integer(4), []),
    },
  ];
}

function planMining(chain: ChainPayers, random: SeededRandom): Planned {
  return {
    nextMs: Date.now() + 1000,
    pauseMs: () => 600 + random.integer(1800),
    happen: () => chain.mine(random.happens(0.1) ? 3 + random.integer(8) : 1),
  };
}

const MOST_VICTIMS = 3;
/** As many confirmations as are asked for at most. */
const CONFIRMED_DEPTH = 3;

/** Payments that the new branch takes back: everybody has seen them confirmed. */
function victimsOf({ chain: { history }, sold }: Life, depth: number, random: SeededRandom): string[] {
  const lowest = history.tip().height - depth + 1;
  const scripts = new Set(sold.map(({ scriptHex }) => scriptHex));
  const isSeen = (sinceMs: number | null): boolean =>
    sinceMs !== null && history.surelyLooked(sinceMs, Date.now());
  // A transaction whose change is spent pays too little to replace all of its descendants.
  const spent = new Set(history.sent.flatMap(({ claims }) => claims.map((claim) => claim.split(':')[0])));
  const possible = history.sent
    .filter(({ txid }) => !spent.has(txid))
    .filter(({ isPegOut, outputs }) => !isPegOut && outputs.some(({ scriptHex }) => scripts.has(scriptHex)))
    .filter(({ txid }) => (history.heightOf(txid) ?? 0) >= lowest)
    .filter(({ txid }) => isSeen(history.deepSinceMs(txid, CONFIRMED_DEPTH)));
  const victims = new Set<string>();
  while (victims.size < Math.min(MOST_VICTIMS, possible.length)) victims.add(random.pick(possible).txid);
  return [...victims];
}
