import { isFullAmount } from '../../spec/spec-terms.ts';
import type { Money, Terms, View } from './decide-from-history.ts';

/** A payment after a watcher has first seen it. */
export type Known = { isLate: boolean; isVoid: boolean };

/** The right state of an invoice so far. `counted`: the payments in its events. */
export type Outcome = {
  status: string;
  known: Record<string, Known>;
  counted: string[];
  events: string[];
  isReversed: boolean;
};

type Moment = { view: View; isOver: boolean };

/** The state after a view, given what was known before. */
export function judgeOutcome(state: Outcome, terms: Terms, money: readonly Money[], moment: Moment): Outcome {
  const { view } = moment;
  const known = money.filter((one) => state.known[one.id] !== undefined);
  const deep = known.filter((one) => depthOf(one, view) >= terms.confirmationsRequired);
  const isLost = (one: Money): boolean =>
    state.known[one.id]?.isVoid === true && rivalsPlace(one, money, view) === 'block';
  const opened = isOpen(state.status) ? judgeOpen(state, terms, known, deep, isLost, moment) : state;
  const decided = isOpen(opened.status) ? opened : reportLatePayments(opened, money, deep, view);
  return { ...decided, isReversed: isReversed(decided, money, deep, isLost) };
}

function judgeOpen(
  state: Outcome,
  terms: Terms,
  known: readonly Money[],
  deep: readonly Money[],
  isLost: (one: Money) => boolean,
  { isOver }: Moment,
): Outcome {
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

function ended(state: Outcome, status: string, counted: readonly Money[]): Outcome {
  return {
    ...state,
    status,
    counted: [...state.counted, ...counted.map(({ id }) => id)],
    events: [...state.events, `invoice.${status}`],
  };
}

/** What confirmed beyond what the outcome counted, lowest block first. */
function reportLatePayments(
  state: Outcome,
  money: readonly Money[],
  deep: readonly Money[],
  view: View,
): Outcome {
  const further = deep
    .filter((one) => !state.counted.includes(one.id))
    .toSorted((a, b) => depthOf(b, view) - depthOf(a, view) || (a.id < b.id ? -1 : 1));
  let decided = state;
  for (const one of further) {
    const counted = money.filter(({ id }) => decided.counted.includes(id));
    const isSameMoney = counted.some((other) => sharesClaim(one, other));
    if (isSameMoney && (decided.status === 'confirmed' || decided.status === 'late_payment')) continue;
    decided = {
      ...decided,
      status: decided.status === 'confirmed' ? 'confirmed' : 'late_payment',
      counted: [...decided.counted, one.id],
      events: [...decided.events, `invoice.late_payment ${one.id}`],
    };
  }
  return decided;
}

/** Counted money is gone, and what took its place does not pay as much. */
function isReversed(
  { counted }: Outcome,
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

/** Where the best-placed transaction is that spends the same as the payment or one of its ancestors. */
export function rivalsPlace(one: Money, money: readonly Money[], view: View): 'mempool' | 'block' | null {
  const rivals = money.filter((other) => other.id !== one.id && sharesClaim(one, other));
  const places = [
    ...rivals.map((rival) => view.places.get(rival.id) ?? null),
    view.conflicts.get(one.id) ?? null,
  ];
  if (places.some((place) => place !== null && place !== 'mempool')) return 'block';
  return places.includes('mempool') ? 'mempool' : null;
}

function isOpen(status: string): boolean {
  return status === 'new' || status === 'pending';
}

function depthOf({ id }: Money, { places, tipHeight }: View): number {
  const place = places.get(id) ?? null;
  return place === null || place === 'mempool' ? 0 : tipHeight - place.height + 1;
}

/** Whether two transactions spend the same coin. */
export function sharesClaim(a: Money, b: Money): boolean {
  return a.claims.some((claim) => b.claims.includes(claim));
}

/** What a transaction pays to the invoice, in minimal units. */
export function totalOf({ outputs }: Money): bigint {
  return outputs.reduce((total, { amount }) => total + amount, 0n);
}

function sum(money: readonly Money[]): bigint {
  return money.reduce((total, one) => total + totalOf(one), 0n);
}
