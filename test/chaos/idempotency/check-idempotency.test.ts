import { expect, test } from 'vitest';
import { checkIdempotency, type Repeat, type RepeatGroup } from './check-idempotency.ts';

const answer = (change: Partial<Repeat> = {}): Repeat => ({
  isNew: false,
  publicId: 'inv_1',
  mayHaveLostAnswer: false,
  ...change,
});
const group = (repeats: Repeat[], change: Partial<RepeatGroup> = {}): RepeatGroup => ({
  repeats,
  unanswered: 0,
  stored: ['inv_1'],
  ...change,
});
const first = answer({ isNew: true });
const clean = { secondInvoices: 0, secondCreations: 0, creationsUnsaid: 0, missing: 0 };

test.each([
  ['one 201, every other the same invoice', group([first, answer(), answer()]), clean],
  ['a 201 whose answer was lost', group([answer(), answer({ mayHaveLostAnswer: true })]), clean],
  ['a 201 to a request that was never answered', group([answer()], { unanswered: 1 }), clean],
  ['a group that nobody answered', group([], { unanswered: 3, stored: [] }), clean],
  ['no 201, and nothing lost', group([answer(), answer()]), { ...clean, creationsUnsaid: 1 }],
  ['two 201', group([first, first]), { ...clean, secondCreations: 1 }],
  [
    'another invoice in an answer',
    group([first, answer({ publicId: 'inv_2' })]),
    { ...clean, secondInvoices: 1, missing: 1 },
  ],
  [
    'another invoice in Postgres alone',
    group([first], { stored: ['inv_1', 'inv_2', 'inv_3'] }),
    { ...clean, secondInvoices: 2 },
  ],
  ['an acknowledged invoice that is gone', group([first], { stored: [] }), { ...clean, missing: 1 }],
])('the checker of repeated requests tells %s', (_title, repeats, counts) => {
  expect(checkIdempotency([group([first]), repeats])).toEqual(counts);
});
