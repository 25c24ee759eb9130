import { describe, expect, test } from 'vitest';
import {
  possibleStatuses,
  type InvoiceTerms,
  type MinedOutput,
  type StatusEvidence,
} from '../../src/invoices/possible-statuses.ts';

const order: InvoiceTerms = {
  type: 'order',
  expectedAmount: 1000n,
  toleranceBps: 0,
  confirmationsRequired: 2,
  deadlineMs: 0,
};
const donation: InvoiceTerms = { ...order, type: 'donation' };
const before: StatusEvidence = {
  tipHeight: 110,
  isOver: false,
  hasUnmined: false,
  hasReported: false,
  isWithheld: false,
};
const after: StatusEvidence = { ...before, isOver: true };

/** In the block that is just deep enough, unless it says something else. */
const inTime = (amount: bigint, height = 109): MinedOutput => ({ amount, height, isInTime: true });
const late = (amount: bigint, height = 109): MinedOutput => ({ amount, height, isInTime: false });
const unknown = (amount: bigint, height = 109): MinedOutput => ({ amount, height, isInTime: null });

const many = (count: number): MinedOutput[] => Array.from({ length: count }, () => unknown(1n));

const statuses = (terms: InvoiceTerms, outputs: readonly MinedOutput[], evidence: StatusEvidence) =>
  [...possibleStatuses(terms, outputs, evidence)].toSorted().join(' ');

describe('possible statuses by the facts of the chain', () => {
  test.each<[string, InvoiceTerms, MinedOutput[], StatusEvidence, string]>([
    ['nothing came, and there is time', order, [], before, 'new'],
    ['nothing came, and the time is over', order, [], after, 'expired'],
    ['nothing is mined, there is time', order, [], { ...before, hasUnmined: true }, 'new pending'],
    ['nothing is mined, the time is over', order, [], { ...after, hasUnmined: true }, 'expired pending'],
    ['all came, and is deep enough', order, [inTime(1000n)], before, 'confirmed'],
    ['all came, and is deep enough after the end', order, [inTime(1000n)], after, 'confirmed'],
    ['all came, and is not deep enough', order, [inTime(1000n, 110)], before, 'pending'],
    ['all came, and is not deep enough after the end', order, [inTime(1000n, 110)], after, 'pending'],
    ['more came', order, [inTime(1001n)], after, 'confirmed'],
    ['all came in parts', order, [inTime(400n), inTime(600n, 105)], before, 'confirmed'],
    ['one part is not deep enough', order, [inTime(400n), inTime(600n, 110)], after, 'pending'],
    ['one short', order, [inTime(999n)], before, 'pending'],
    ['one short, and the time is over', order, [inTime(999n)], after, 'underpaid'],
    [
      'short, more may be waiting',
      order,
      [inTime(999n)],
      { ...after, hasUnmined: true },
      'pending underpaid',
    ],
    ['all came late', order, [late(1000n)], after, 'late_payment'],
    ['all came late, not deep enough', order, [late(1000n, 110)], after, 'expired'],
    ['short, the rest late', order, [inTime(999n), late(1n)], after, 'late_payment'],
    ['short, the rest late, not deep enough', order, [inTime(999n), late(1n, 110)], after, 'underpaid'],
    ['a part is not deep enough, a late one is', order, [inTime(9n, 110), late(1n)], after, 'pending'],
    ['all came, more came late', order, [inTime(1000n), late(1n)], after, 'confirmed'],
    ['all came, more is not deep enough', order, [inTime(1000n), inTime(1n, 110)], before, 'confirmed'],
    ['anything for a donation', donation, [inTime(1n)], before, 'confirmed'],
    ['a donation of two, one deep enough', donation, [inTime(1n), inTime(1n, 110)], before, 'confirmed'],
    ['nothing for a donation', donation, [], after, 'expired'],
    ['late for a donation', donation, [late(1n)], after, 'late_payment'],
    ['a donation of any amount', { ...donation, expectedAmount: null }, [inTime(1n)], before, 'confirmed'],
    ['within the tolerance', { ...order, toleranceBps: 100 }, [inTime(990n)], after, 'confirmed'],
    ['beyond the tolerance', { ...order, toleranceBps: 100 }, [inTime(989n)], after, 'underpaid'],
    ['the end is near, nothing came', order, [], { ...after, isOver: null }, 'expired new'],
    ['the end is near, short', order, [inTime(1n)], { ...after, isOver: null }, 'pending underpaid'],
    ['it is not known when it came', order, [unknown(1000n)], after, 'confirmed late_payment'],
    ['nor of two', order, [unknown(400n), unknown(600n)], after, 'confirmed late_payment'],
    ['a part that is not known', order, [inTime(400n), unknown(600n)], after, 'confirmed late_payment'],
    ['unknown and short', order, [unknown(1n)], after, 'late_payment underpaid'],
    ['withheld', order, [inTime(1000n)], { ...after, isWithheld: true }, 'confirmed pending'],
    ['withheld and short', order, [inTime(1n)], { ...after, isWithheld: true }, 'pending underpaid'],
    ['withheld and late', order, [late(1n)], { ...after, isWithheld: true }, 'expired late_payment pending'],
    [
      'an outcome was reported and its money is gone',
      order,
      [],
      { ...before, hasReported: true },
      'confirmed expired late_payment new underpaid',
    ],
    [
      'an outcome was reported, its money is gone and the time is over',
      order,
      [],
      { ...after, hasReported: true },
      'confirmed expired late_payment underpaid',
    ],
  ])('%s', (_case, terms, outputs, evidence, expected) => {
    expect(statuses(terms, outputs, evidence)).toBe(expected);
    expect(statuses(terms, outputs.toReversed(), evidence)).toBe(expected);
  });

  test('too many outputs of unknown time: all statuses are possible', () => {
    expect(possibleStatuses(order, many(8), after).size).toBe(2);
    expect(possibleStatuses(order, many(9), after).size).toBe(6);
  });
});
