import { describe, expect, test } from 'vitest';
import {
  decideFromHistory,
  type Answer,
  type Money,
  type Place,
  type Terms,
  type View,
} from './decide-from-history.ts';
import { wasRead } from './polls.ts';

const DEADLINE = 100_000;
const terms: Terms = {
  type: 'order',
  asked: 1000n,
  toleranceBps: 0,
  confirmationsRequired: 2,
  deadlineMs: { earliest: DEADLINE, latest: DEADLINE },
};

const money = (id: string, amount = 1000n, change: Partial<Money> = {}): Money => ({
  id,
  outputs: [{ vout: 0, amount }],
  claims: [`coin of ${id}`],
  sentMs: 10_000,
  isPegOut: false,
  ...change,
});

/** Consecutive views, each valid for 20 seconds without faults by default. */
function history(...steps: (Partial<View> & { held?: Record<string, Place> })[]): View[] {
  let fromMs = 0;
  return steps.map(({ held = {}, ...step }) => {
    const entries = Object.entries(held);
    const toMs = step.toMs ?? fromMs + 20_000;
    const view = {
      fromMs,
      toMs,
      tipHeight: 10,
      places: new Map(entries),
      enteredMs: new Map(
        entries.flatMap(([id, place]) => (place === 'mempool' ? [[id, fromMs] as const] : [])),
      ),
      behindMs: new Map(),
      conflicts: new Map(),
      calmMs: toMs - fromMs,
      ...step,
    };
    fromMs = toMs;
    return view;
  });
}

const block = (height: number, timeMs = 20_000): Place => ({ height, timeMs });
const untilOver = { toMs: 300_000 };

const a = money('a');
/** Some watcher has always provably polled. */
const always = { isProven: () => true, wasRead: () => false, shownMs: new Map<string, number>() };
const provenAt = (atMs: number) => ({
  ...always,
  isProven: (fromMs: number, toMs: number) => fromMs <= atMs && atMs <= toMs,
});

describe('the checker of invoices says', () => {
  test.each<[string, Money[], View[], string, string[]]>([
    ['new of one that nobody paid', [], history({}), 'new', []],
    ['expired once its time is over', [], history(untilOver), 'expired', ['invoice.expired']],
    ['pending of a payment in the mempool', [a], history({ held: { a: 'mempool' } }), 'pending', []],
    [
      'confirmed of a payment that is deep enough',
      [a],
      history({ held: { a: 'mempool' } }, { held: { a: block(9) } }),
      'confirmed',
      ['invoice.confirmed'],
    ],
    ['pending of one that is not', [a], history({ held: { a: block(10) } }), 'pending', []],
    [
      'underpaid of too little',
      [money('a', 999n)],
      history({ ...untilOver, held: { a: block(9) } }),
      'underpaid',
      ['invoice.underpaid'],
    ],
    [
      'late_payment of what came after the end',
      [money('a', 1000n, { sentMs: 150_000 })],
      history({ toMs: 140_000 }, { toMs: 300_000, held: { a: block(9, 160_000) } }),
      'late_payment',
      ['invoice.expired', 'invoice.late_payment a'],
    ],
    [
      'confirmed, and a late payment, of a further one',
      [a, money('b', 5n)],
      history({ held: { a: block(9) } }, { tipHeight: 20, held: { a: block(9), b: block(15) } }),
      'confirmed',
      ['invoice.confirmed', 'invoice.late_payment b'],
    ],
    [
      'new again of a double spend',
      [a],
      history({ held: { a: 'mempool' } }, { conflicts: new Map([['a', 'mempool']]) }),
      'new',
      [],
    ],
    [
      'pending of a payment that was evicted, even past its end',
      [a],
      history({ held: { a: 'mempool' } }, untilOver),
      'pending',
      [],
    ],
    [
      'confirmed of a bump after the end that pays as much',
      [a, money('b', 1000n, { claims: a.claims, sentMs: 150_000 })],
      history({ toMs: 140_000, held: { a: 'mempool' } }, { toMs: 300_000, held: { b: block(9, 160_000) } }),
      'confirmed',
      ['invoice.confirmed'],
    ],
    [
      'late_payment where a cheap placeholder was raised after the end',
      [money('a', 1n), money('b', 1000n, { claims: a.claims, sentMs: 150_000 })],
      history({ toMs: 140_000, held: { a: 'mempool' } }, { toMs: 300_000, held: { b: block(9, 160_000) } }),
      'late_payment',
      ['invoice.expired', 'invoice.late_payment b'],
    ],
    [
      'confirmed of a peg-out whose block came half an hour after the end',
      [money('a', 1000n, { claims: [], isPegOut: true })],
      history({ toMs: 2_000_000, held: { a: block(9, 1_700_000) }, fromMs: 1_700_000 }),
      'confirmed',
      ['invoice.confirmed'],
    ],
  ])('%s', (_title, paid, views, status, events) => {
    expect(decideFromHistory(terms, paid, views, always)).toMatchObject([
      { status, events, isReversed: false },
    ]);
  });

  test('reversed of money that a conflict took back', () => {
    const views = history({ held: { a: block(9) } }, { conflicts: new Map([['a', 'block']]) });
    expect(decideFromHistory(terms, [a], views, always)).toMatchObject([
      { status: 'confirmed', isReversed: true },
    ]);
  });

  test('both answers if a payment came too close to the deadline to decide', () => {
    const close = money('a', 1000n, { sentMs: DEADLINE });
    const views = history({ toMs: DEADLINE }, { toMs: 300_000, held: { a: block(9, DEADLINE) } });
    expect(statuses(decideFromHistory(terms, [close], views, always))).toEqual(['confirmed', 'late_payment']);
  });

  test('both answers where a payment came late, but in time by the clock of its node', () => {
    const late = money('a', 1000n, { sentMs: DEADLINE + 8000 });
    const paidBehind = (behindMs: number) => {
      const held = { held: { a: 'mempool' as const }, behindMs: new Map([['a', behindMs]]) };
      const views = history({ toMs: late.sentMs }, { ...held, toMs: 300_000 });
      return statuses(decideFromHistory(terms, [late], views, always));
    };
    expect(paidBehind(95_000)).toEqual(['expired', 'pending']);
    expect(paidBehind(5000)).toEqual(['expired']);
  });

  test('one answer where money was there for long while it was uncertain whether the time was over', () => {
    const lagged = { ...terms, deadlineMs: { earliest: DEADLINE, latest: DEADLINE + 30_000 } };
    const early = money('a', 1000n, { sentMs: 96_000 });
    const views = history({ toMs: 96_000 }, { toMs: 120_000, held: { a: 'mempool' } }, untilOver);
    expect(statuses(decideFromHistory(lagged, [early], views, always))).toEqual(['pending']);
  });

  test('both answers where money was there too shortly to be seen by all', () => {
    const takenBack = { conflicts: new Map([['a', 'block'] as const]) };
    const views = history({}, { toMs: 21_000, held: { a: block(9) } }, takenBack);
    expect(statuses(decideFromHistory(terms, [a], views, always))).toEqual(['confirmed', 'new']);
  });

  test('both answers where money was there for long, and nobody is proven to have looked meanwhile', () => {
    const takenBack = { conflicts: new Map([['a', 'block'] as const]) };
    const views = history({}, { toMs: 120_000, held: { a: block(9) } }, takenBack);
    const statusesAt = (atMs: number) => statuses(decideFromHistory(terms, [a], views, provenAt(atMs)));
    expect(statusesAt(10_000)).toEqual(['confirmed', 'expired']);
    expect(statusesAt(60_000)).toEqual(['confirmed']);
  });

  test('one answer if Paywatch reported a complete read while money was there', () => {
    const takenBack = { conflicts: new Map([['a', 'block'] as const]) };
    const views = history({}, { toMs: 30_000, held: { a: block(9) }, calmMs: 0 }, takenBack);
    const statusesAt = (...reads: number[]) => {
      const looks = { ...always, wasRead: (fromMs: number, toMs: number) => wasRead(reads, fromMs, toMs) };
      return statuses(decideFromHistory(terms, [a], views, looks));
    };
    expect(statusesAt()).toEqual(['confirmed', 'new']);
    expect(statusesAt(10_000, 25_000, 40_000)).toEqual(['confirmed', 'new']);
    expect(statusesAt(10_000, 22_000, 25_000, 40_000)).toEqual(['confirmed']);
  });

  test('one answer where money came back to the mempool after the end, and payers had been shown it before', () => {
    const views = history(
      {},
      { held: { a: 'mempool' } },
      { toMs: 150_000 },
      { toMs: 300_000, held: { a: 'mempool' } },
    );
    const statusesAt = (shownMs: Map<string, number>) =>
      statuses(decideFromHistory(terms, [a], views, { ...always, isProven: () => false, shownMs }));
    expect(statusesAt(new Map())).toEqual(['expired', 'pending']);
    expect(statusesAt(new Map([['a', 30_000]]))).toEqual(['pending']);
    expect(statusesAt(new Map([['a', 200_000]]))).toEqual(['expired', 'pending']);
    // Shown before the driver wrote down that the node holds it.
    expect(statusesAt(new Map([['a', 19_900]]))).toEqual(['pending']);
  });
});

function statuses(answers: readonly Answer[]): string[] {
  return [...new Set(answers.map(({ status }) => status))].toSorted();
}
