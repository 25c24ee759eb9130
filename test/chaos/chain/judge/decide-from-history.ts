import {
  judgeOutcome,
  rivalsPlace,
  sharesClaim,
  totalOf,
  type Known,
  type Outcome,
} from './decide-outcome.ts';
import { LOOK_WITHIN_MS, type Proven } from './polls.ts';

/*
 * What Paywatch should say of one invoice, decided from the outside: from what the driver broadcast and from what the node
 * held at every moment. Written from the specification alone. Where a watcher may or may not have looked in time
 * (a view of the chain was there for a moment only), both answers are right, and all of them are kept.
 */

/** What one transaction pays to the invoice. A peg-out has no claims: its HogEx is another one on every branch. */
export type Money = {
  id: string;
  outputs: readonly { vout: number; amount: bigint }[];
  /** The outpoints that it spends. */
  claims: readonly string[];
  sentMs: number;
  isPegOut: boolean;
};

/** Where a transaction was in one view of the chain; null when it was nowhere. */
export type Place = { height: number; timeMs: number } | 'mempool' | null;

/** What the node held between two moments, as far as the invoice is concerned. */
export type View = {
  fromMs: number;
  toMs: number;
  tipHeight: number;
  places: ReadonlyMap<string, Place>;
  /** Since when the mempool holds it without a break, of those that it holds. */
  enteredMs: ReadonlyMap<string, number>;
  /** By how much the node's clock may have been behind when the mempool last took it. */
  behindMs: ReadonlyMap<string, number>;
  /** Where a conflict of a payment or of one of its ancestors is, by the payment's id: no block can hold both. */
  conflicts: ReadonlyMap<string, 'mempool' | 'block'>;
  /** How much of the time in between was without an outage that holds every watcher up. */
  calmMs: number;
};

/** The terms of an invoice as the specification derives them from the request. */
export type Terms = {
  type: 'order' | 'donation';
  /** 0 where a donation asks for nothing. */
  asked: bigint;
  /** How much an order may fall short, in hundredths of a percent. */
  toleranceBps: number;
  confirmationsRequired: number;
  /** When the time to pay ends, grace included: at the earliest, and where the view was stale then at the latest. */
  deadlineMs: { earliest: number; latest: number };
};

/** One right answer. `events` and `late` are sorted. */
export type Answer = {
  status: string;
  isReversed: boolean;
  /** `type`, or `type txid` of a late payment. */
  events: string[];
  /** Ids of payments that came too late. */
  late: string[];
};

/** Milliseconds by which clocks and the node's whole seconds may be off. */
const BLUR_MS = 2000;
const PEG_OUT_HEAD_START_MS = 1_800_000;

type State = Outcome & { unseen: Unseen };
/** Since when no watcher has provably polled, and how much time without an outage that was. */
type Unseen = { sinceMs: number; calmMs: number };

const JUST_SEEN: Unseen = { sinceMs: Infinity, calmMs: 0 };

/**
 * All right answers after the last view, which a watcher has read. An earlier view counts as read only if watchers had enough
 * time and one provably polled, or if Paywatch reported a complete read. What payers were shown was known.
 */
export function decideFromHistory(
  terms: Terms,
  money: readonly Money[],
  views: readonly View[],
  { isProven, wasRead, shownMs }: Proven,
): Answer[] {
  let states: State[] = [
    { status: 'new', known: {}, counted: [], events: [], isReversed: false, unseen: JUST_SEEN },
  ];
  for (const moment of views.flatMap((view) => momentsOf(view, terms))) {
    const looked = states.flatMap((state) => look(state, terms, money, moment));
    const skipped = states
      .map((state) => ({ ...state, unseen: skip(state.unseen, moment) }))
      .filter(
        ({ unseen: { sinceMs, calmMs } }) =>
          !wasRead(sinceMs, moment.toMs) && (calmMs < LOOK_WITHIN_MS || !isProven(sinceMs, moment.toMs)),
      );
    const possible = mergeStates([...looked, ...skipped]);
    const shown = money.filter(({ id }) => (shownMs.get(id) ?? Infinity) < moment.atMs);
    const knowing = possible.filter(({ known }) => shown.every(({ id }) => known[id] !== undefined));
    // None if the driver recorded a view late: the next one decides.
    states = knowing.length > 0 ? knowing : possible;
  }
  const [last] = views.slice(-1).flatMap((view) => momentsOf(view, terms).slice(-1));
  const final = last ? states.flatMap((state) => look(state, terms, money, last)) : states;
  return [...new Map(final.map(toAnswer).map((answer) => [JSON.stringify(answer), answer])).values()];
}

/** A view, before or after the time to pay is over. */
type Moment = { view: View; atMs: number; toMs: number; isOver: boolean; calmMs: number };

function momentsOf(view: View, { deadlineMs }: Terms): Moment[] {
  const { fromMs, toMs } = view;
  const isBefore = fromMs <= deadlineMs.latest + BLUR_MS;
  const isAfter = toMs >= deadlineMs.earliest - BLUR_MS;
  const share = (from: number, to: number): number =>
    toMs > fromMs ? (view.calmMs * Math.max(0, to - from)) / (toMs - fromMs) : 0;
  // If an end is uncertain, both of its moments count.
  const endMs = Math.min(toMs, deadlineMs.latest);
  const before = { view, atMs: fromMs, toMs: endMs, isOver: false, calmMs: share(fromMs, endMs) };
  const afterMs = Math.max(fromMs, deadlineMs.latest);
  const after = { view, atMs: afterMs, toMs, isOver: true, calmMs: share(afterMs, toMs) };
  return [...(isBefore ? [before] : []), ...(isAfter ? [after] : [])];
}

function skip({ sinceMs, calmMs }: Unseen, moment: Moment): Unseen {
  return { sinceMs: Math.min(sinceMs, moment.atMs), calmMs: calmMs + moment.calmMs };
}

/** Of states that differ only in the time since the last poll, the one with the latest poll allows the most. */
function mergeStates(states: readonly State[]): State[] {
  const merged = new Map<string, State>();
  for (const state of states) {
    const key = JSON.stringify({ ...state, unseen: JUST_SEEN });
    const known = merged.get(key);
    if (known === undefined || state.unseen.sinceMs > known.unseen.sinceMs) merged.set(key, state);
  }
  return [...merged.values()];
}

/** The state after a poll. Several if it is uncertain what is in time. */
function look(state: State, terms: Terms, money: readonly Money[], moment: Moment): State[] {
  return learn(state, terms, money, moment).map((known) => ({
    ...judgeOutcome({ ...state, known }, terms, money, moment),
    unseen: JUST_SEEN,
  }));
}

/** The state after a poll: newly seen payments, and void ones. */
function learn(
  { known: before }: State,
  terms: Terms,
  money: readonly Money[],
  moment: Moment,
): Record<string, Known>[] {
  const { view } = moment;
  let results: Record<string, Known>[] = [{ ...before }];
  for (const one of money) {
    const place = view.places.get(one.id) ?? null;
    if (before[one.id] !== undefined || place === null) continue;
    const options = latenessOf(one, place, terms, moment);
    results = results.flatMap((known) =>
      options.map((isLate) => ({
        ...known,
        [one.id]: { isLate: isLate && !isHeir(one, known, money), isVoid: false },
      })),
    );
  }
  for (const known of results) for (const one of money) refreshVoid(known, one, money, view);
  return results;
}

/** Whether it was first seen too late: both if that is uncertain. */
function latenessOf(
  one: Money,
  place: Exclude<Place, null>,
  { deadlineMs }: Terms,
  { view, atMs }: Moment,
): boolean[] {
  const headStartMs = one.isPegOut ? PEG_OUT_HEAD_START_MS : 0;
  const latest =
    place === 'mempool' ? (view.enteredMs.get(one.id) ?? atMs) : Math.min(place.timeMs, view.toMs);
  // The node's own time counts where it is earlier.
  const enteredMs = place === 'mempool' ? one.sentMs - (view.behindMs.get(one.id) ?? 0) : one.sentMs;
  const earliestMs = Math.min(enteredMs, latest) - headStartMs - BLUR_MS;
  const latestMs = latest - headStartMs + BLUR_MS;
  if (latestMs <= deadlineMs.earliest) return [false];
  return earliestMs > deadlineMs.latest ? [true] : [false, true];
}

/** A replacement is in time with what it replaces, if that paid at least as much. */
function isHeir(one: Money, known: Record<string, Known>, money: readonly Money[]): boolean {
  return money.some(
    (other) =>
      other.id !== one.id &&
      known[other.id]?.isLate === false &&
      sharesClaim(one, other) &&
      totalOf(other) >= totalOf(one),
  );
}

function refreshVoid(known: Record<string, Known>, one: Money, money: readonly Money[], view: View): void {
  const entry = known[one.id];
  if (entry === undefined) return;
  const place = view.places.get(one.id) ?? null;
  const isVoid = place === null && (entry.isVoid || rivalsPlace(one, money, view) !== null);
  known[one.id] = { ...entry, isVoid };
}

function toAnswer({ status, isReversed: reversed, events, known }: State): Answer {
  const late = Object.keys(known).filter((id) => known[id]?.isLate);
  return { status, isReversed: reversed, events: events.toSorted(), late: late.toSorted() };
}
