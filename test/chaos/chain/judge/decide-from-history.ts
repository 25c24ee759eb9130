import { isFullAmount } from '../../spec/spec-terms.ts';

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
  /** Claims that some other transaction than the invoice's own has, and whether that one is in a block. */
  taken: ReadonlyMap<string, 'mempool' | 'block'>;
  /** How much of the time in between was without an outage that holds every watcher up. */
  calmMs: number;
};

/** The terms of an invoice, as the specification makes them of what was asked for. */
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

type Known = { isLate: boolean; isVoid: boolean };
type State = {
  status: string;
  known: Record<string, Known>;
  counted: string[];
  events: string[];
  isReversed: boolean;
  /** Calm in which nobody looked. */
  unseenMs: number;
};

/** Within so much calm some watcher looks, whoever was killed or frozen meanwhile. */
export const LOOK_WITHIN_MS = 15_000;

/** All right answers after the last view, at which somebody has looked. */
export function decideFromHistory(terms: Terms, money: readonly Money[], views: readonly View[]): Answer[] {
  let states: State[] = [
    { status: 'new', known: {}, counted: [], events: [], isReversed: false, unseenMs: 0 },
  ];
  for (const moment of views.flatMap((view) => momentsOf(view, terms))) {
    const looked = states.flatMap((state) => look(state, terms, money, moment));
    const skipped = states
      .map((state) => ({ ...state, unseenMs: state.unseenMs + moment.calmMs }))
      .filter(({ unseenMs }) => unseenMs < LOOK_WITHIN_MS);
    states = mergeStates([...looked, ...skipped]);
  }
  const [last] = views.slice(-1).flatMap((view) => momentsOf(view, terms).slice(-1));
  const final = last ? states.flatMap((state) => look(state, terms, money, last)) : states;
  return [...new Map(final.map(toAnswer).map((answer) => [JSON.stringify(answer), answer])).values()];
}

/** A view, before or after the time to pay is over. */
type Moment = { view: View; atMs: number; isOver: boolean; calmMs: number };

function momentsOf(view: View, { deadlineMs }: Terms): Moment[] {
  const { fromMs, toMs } = view;
  const isBefore = fromMs <= deadlineMs.latest + BLUR_MS;
  const isAfter = toMs >= deadlineMs.earliest - BLUR_MS;
  const share = (from: number, to: number): number =>
    toMs > fromMs ? (view.calmMs * Math.max(0, to - from)) / (toMs - fromMs) : 0;
  const before = {
    view,
    atMs: fromMs,
    isOver: false,
    // Of an end that is uncertain both moments tell: who looked while it was, has looked.
    calmMs: share(fromMs, Math.min(toMs, deadlineMs.latest)),
  };
  const afterMs = Math.max(fromMs, deadlineMs.latest);
  const after = { view, atMs: afterMs, isOver: true, calmMs: share(afterMs, toMs) };
  return [...(isBefore ? [before] : []), ...(isAfter ? [after] : [])];
}

/** Of states that differ only in how long nobody looked, the latest look leaves the most open. */
function mergeStates(states: readonly State[]): State[] {
  const merged = new Map<string, State>();
  for (const state of states) {
    const key = JSON.stringify({ ...state, unseenMs: 0 });
    const known = merged.get(key);
    if (known === undefined || state.unseenMs < known.unseenMs) merged.set(key, state);
  }
  return [...merged.values()];
}

/** What one look makes of what was known. Several where it is not certain what is in time. */
function look(state: State, terms: Terms, money: readonly Money[], moment: Moment): State[] {
  return learn(state, terms, money, moment).map((known) =>
    judge({ ...state, known, unseenMs: 0 }, terms, money, moment),
  );
}

/** What is known after the look: what it met for the first time, and what is void. */
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

/** Whether it was first seen too late: both where that was too close to tell. */
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

/** Where the best-placed transaction is that spends the same. */
function rivalsPlace(one: Money, money: readonly Money[], view: View): 'mempool' | 'block' | null {
  const rivals = money.filter((other) => other.id !== one.id && sharesClaim(one, other));
  const places = [
    ...rivals.map((rival) => view.places.get(rival.id) ?? null),
    ...one.claims.map((claim) => view.taken.get(claim) ?? null),
  ];
  if (places.some((place) => place !== null && place !== 'mempool')) return 'block';
  return places.includes('mempool') ? 'mempool' : null;
}

function judge(state: State, terms: Terms, money: readonly Money[], moment: Moment): State {
  const { view } = moment;
  const known = money.filter((one) => state.known[one.id] !== undefined);
  const deep = known.filter((one) => depthOf(one, view) >= terms.confirmationsRequired);
  const isLost = (one: Money): boolean =>
    state.known[one.id]?.isVoid === true && rivalsPlace(one, money, view) === 'block';
  const opened = isOpen(state.status) ? judgeOpen(state, terms, known, deep, isLost, moment) : state;
  const told = isOpen(opened.status) ? opened : tellFurther(opened, money, deep, view);
  return { ...told, isReversed: isReversed(told, money, deep, isLost) };
}

function judgeOpen(
  state: State,
  terms: Terms,
  known: readonly Money[],
  deep: readonly Money[],
  isLost: (one: Money) => boolean,
  { isOver }: Moment,
): State {
  const inTime = known.filter((one) => state.known[one.id]?.isLate === false);
  const standing = inTime.filter((one) => state.known[one.id]?.isVoid === false);
  const confirmed = standing.filter((one) => deep.includes(one));
  if (isFullAmount(terms, sum(confirmed))) return ended(state, 'confirmed', confirmed);
  if (isOver && inTime.every(isLost)) return ended(state, 'expired', []);
  if (isOver && standing.length > 0 && standing.length === confirmed.length) {
    return ended(state, 'underpaid', confirmed);
  }
  const isPending = standing.length > 0 || (isOver && inTime.length > 0);
  return { ...state, status: isPending ? 'pending' : 'new' };
}

function ended(state: State, status: string, counted: readonly Money[]): State {
  return {
    ...state,
    status,
    counted: [...state.counted, ...counted.map(({ id }) => id)],
    events: [...state.events, `invoice.${status}`],
  };
}

/** What confirmed beyond what the outcome counted, lowest block first. */
function tellFurther(state: State, money: readonly Money[], deep: readonly Money[], view: View): State {
  const further = deep
    .filter((one) => !state.counted.includes(one.id))
    .toSorted((a, b) => depthOf(b, view) - depthOf(a, view) || (a.id < b.id ? -1 : 1));
  let told = state;
  for (const one of further) {
    const counted = money.filter(({ id }) => told.counted.includes(id));
    const isSameMoney = counted.some((other) => sharesClaim(one, other));
    if (isSameMoney && (told.status === 'confirmed' || told.status === 'late_payment')) continue;
    told = {
      ...told,
      status: told.status === 'confirmed' ? 'confirmed' : 'late_payment',
      counted: [...told.counted, one.id],
      events: [...told.events, `invoice.late_payment ${one.id}`],
    };
  }
  return told;
}

/** Counted money is gone, and what took its place does not pay as much. */
function isReversed(
  { counted }: State,
  money: readonly Money[],
  deep: readonly Money[],
  isLost: (one: Money) => boolean,
): boolean {
  const lost = money.filter((one) => counted.includes(one.id) && isLost(one));
  return lost.some(
    (gone) =>
      !deep.some(
        (came) =>
          sharesClaim(came, gone) && sum(lost.filter((one) => sharesClaim(came, one))) <= totalOf(came),
      ),
  );
}

function isOpen(status: string): boolean {
  return status === 'new' || status === 'pending';
}

function depthOf({ id }: Money, { places, tipHeight }: View): number {
  const place = places.get(id) ?? null;
  return place === null || place === 'mempool' ? 0 : tipHeight - place.height + 1;
}

function sharesClaim(a: Money, b: Money): boolean {
  return a.claims.some((claim) => b.claims.includes(claim));
}

function totalOf({ outputs }: Money): bigint {
  return outputs.reduce((total, { amount }) => total + amount, 0n);
}

function sum(money: readonly Money[]): bigint {
  return money.reduce((total, one) => total + totalOf(one), 0n);
}

function toAnswer({ status, isReversed: reversed, events, known }: State): Answer {
  const late = Object.keys(known).filter((id) => known[id]?.isLate);
  return { status, isReversed: reversed, events: events.toSorted(), late: late.toSorted() };
}
