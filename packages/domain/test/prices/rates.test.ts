import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  combineQuotes,
  confirmRate,
  formatRate,
  parseRate,
  type Quote,
  type RateReading,
  type RateState,
} from '../../src/prices/index.ts';

const NOW_MS = 1_800_000_000_000;
const RULES = { configured: 4, minSources: 2, nowMs: NOW_MS };

function quotes(...prices: (string | { price: string; ageMs: number })[]): Quote[] {
  return prices.map((given, index) => {
    const { price, ageMs } = typeof given === 'string' ? { price: given, ageMs: 1000 } : given;
    return { source: 'abcd'[index] ?? '?', value: value(price), quotedAtMs: NOW_MS - ageMs };
  });
}

function value(price: string): bigint {
  return parseRate(price) ?? 0n;
}

function shown(reading: RateReading): string {
  return reading.kind === 'rate'
    ? `${formatRate(reading.value)} ${reading.sources.join('')}`
    : reading.reason;
}

describe('a reading of several sources', () => {
  test.each([
    ['is their median', quotes('100', '101', '100.5', '100.2'), '100.35 abcd'],
    ['is exact between two prices', quotes('0.0000000001', '0.0000000002'), 'disagreement'],
    ['keeps all decimals of a mean', quotes('1.0000000001', '1.0000000002'), '1.00000000015 ab'],
    ['drops one that is tenfold', quotes('100', '101', '1000', '100.2'), '100.2 abd'],
    ['drops one that is a tenth', quotes('100', '10', '101', '100.2'), '100.2 acd'],
    ['keeps one that is 2 % off the median', quotes('100', '100', '102', '100'), '100 abcd'],
    ['drops one that is more than 2 % off', quotes('100', '100', '102.01', '100'), '100 abd'],
    ['needs two sources', quotes('100'), 'unavailable'],
    ['needs half of those configured', quotes('100', '100'), '100 ab'],
    ['ignores a price of two minutes ago', quotes('100', { price: '90', ageMs: 120_001 }), 'unavailable'],
    ['takes a price of almost two minutes ago', quotes('100', { price: '100', ageMs: 120_000 }), '100 ab'],
    ['ignores a price from the future', quotes('100', { price: '100', ageMs: -60_001 }), 'unavailable'],
    ['is refused if two sources disagree', quotes('100', '105'), 'disagreement'],
    ['is the mean of two that are 2 % apart', quotes('100', '102'), '101 ab'],
    ['is refused if two are more than 2 % apart', quotes('100', '102.01'), 'disagreement'],
    ['is refused if two and two are', quotes('100', '100', '103.9', '103.9'), 'disagreement'],
    ['is refused if two and two disagree', quotes('100', '100', '1000', '1000'), 'disagreement'],
    ['is refused if all disagree', quotes('100', '110', '120', '130'), 'disagreement'],
    ['ignores zero', quotes('0', '0', '0', '100'), 'unavailable'],
  ])('%s', (_title, given, expected) => {
    expect(shown(combineQuotes(given, RULES))).toBe(expected);
  });

  test('of one source is enough only where the operator allows it', () => {
    expect(shown(combineQuotes(quotes('100'), { ...RULES, configured: 1, minSources: 1 }))).toBe('100 a');
    expect(shown(combineQuotes(quotes('100'), { ...RULES, configured: 3, minSources: 1 }))).toBe(
      'unavailable',
    );
    expect(shown(combineQuotes([], { ...RULES, configured: 0, minSources: 0 }))).toBe('unavailable');
  });

  test('stays within 2 % of the true price while fewer than half of the sources are wrong', () => {
    const wrong = fc.bigInt(1n, 10n ** 22n);
    const right = fc.bigInt(99_500n * 10n ** 12n, 100_500n * 10n ** 12n);
    fc.assert(
      fc.property(fc.array(right, { minLength: 3, maxLength: 4 }), wrong, fc.nat(), (good, bad, at) => {
        const values = good.with(at % good.length, bad);
        const given = values.map((each, i) => ({ source: String(i), value: each, quotedAtMs: NOW_MS }));
        const reading = combineQuotes(given, { ...RULES, configured: given.length });
        const combined = reading.kind === 'rate' ? reading.value : 100_000n * 10n ** 12n;
        expect(combined).toBeGreaterThanOrEqual(98_000n * 10n ** 12n);
        expect(combined).toBeLessThanOrEqual(102_510n * 10n ** 12n);
      }),
      { numRuns: 5000 },
    );
  });

  test('does not depend on the order of the sources', () => {
    const some = fc.array(fc.bigInt(90n, 110n), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(some, (values) => {
        const given = values.map((each, i) => ({ source: String(i), value: each, quotedAtMs: NOW_MS }));
        expect(combineQuotes(given.toReversed(), RULES)).toEqual(combineQuotes(given, RULES));
      }),
    );
  });
});

const rate = (price: string): RateReading => ({ kind: 'rate', value: value(price), sources: ['a', 'b'] });
const refused = (reason: 'unavailable' | 'disagreement'): RateReading => ({ kind: 'refused', reason });

describe('the rate after a reading', () => {
  const FIRST: RateState = { accepted: null, candidate: null, withheld: null };
  function after(...steps: [RateReading, atSeconds: number][]): string {
    const state = steps.reduce(
      (before, [reading, seconds]) => confirmRate(before, reading, NOW_MS + seconds * 1000),
      FIRST,
    );
    const price = state.accepted === null ? 'none' : formatRate(state.accepted.value);
    return state.withheld === null ? price : `${price} withheld: ${state.withheld}`;
  }

  test('is the first reading', () => {
    expect(after([rate('100'), 0])).toBe('100');
  });

  test('follows a change of up to 10 %', () => {
    expect(after([rate('100'), 0], [rate('110'), 20])).toBe('110');
    expect(after([rate('100'), 0], [rate('90'), 20])).toBe('90');
  });

  test('is withheld after a jump until a second reading confirms it', () => {
    expect(after([rate('100'), 0], [rate('110.01'), 20])).toBe('100 withheld: jump');
    expect(after([rate('100'), 0], [rate('1000'), 20], [rate('1001'), 40])).toBe('1001');
  });

  test('is withheld while jumps contradict each other', () => {
    expect(after([rate('100'), 0], [rate('1000'), 20], [rate('500'), 40])).toBe('100 withheld: jump');
  });

  test('returns to normal after a jump that nothing confirms', () => {
    expect(after([rate('100'), 0], [rate('1000'), 20], [rate('101'), 40])).toBe('101');
  });

  test('is not confirmed by the same reading, nor by one more than two minutes later', () => {
    expect(after([rate('100'), 0], [rate('1000'), 20], [rate('1000'), 20])).toBe('100 withheld: jump');
    expect(after([rate('100'), 0], [rate('1000'), 20], [rate('1000'), 141])).toBe('100 withheld: jump');
  });

  test('needs a confirmation after an outage, too', () => {
    expect(after([rate('100'), 0], [rate('1000'), 86_400])).toBe('100 withheld: jump');
  });

  test('stays the last one while too few sources answer', () => {
    expect(after([rate('100'), 0], [refused('unavailable'), 20])).toBe('100');
  });

  test('is withheld at once when sources disagree, until they agree', () => {
    expect(after([rate('100'), 0], [refused('disagreement'), 20])).toBe('100 withheld: disagreement');
    expect(after([rate('100'), 0], [refused('disagreement'), 20], [refused('unavailable'), 40])).toBe(
      '100 withheld: disagreement',
    );
    expect(after([rate('100'), 0], [refused('disagreement'), 20], [rate('100'), 40])).toBe('100');
  });
});
