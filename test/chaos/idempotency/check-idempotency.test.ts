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
  ['one 201, and the same invoice in all other responses', group([first, answer(), answer()]), clean],
  ['a 201 that was lost', group([answer(), answer({ mayHaveLostAnswer: true })]), clean],
  ['a 201 for a request without a response', group([answer()], { unanswered: 1 }), clean],
  ['a group without any response', group([], { unanswered: 3, stored: [] }), clean],
  ['no 201 although no response was lost', group([answer(), answer()]), { ...clean, creationsUnsaid: 1 }],
  ['two 201', group([first, first]), { ...clean, secondCreations: 1 }],
  [
    'another invoice in a response',
    group([first, answer({ publicId: 'inv_2' })]),
    { ...clean, secondInvoices: 1, missing: 1 },
  ],
  [
    'another invoice in Postgres only',
    group([first], { stored: ['inv_1', 'inv_2', 'inv_3'] }),
    { ...clean, secondInvoices: 2 },
  ],
  ['a missing acknowledged invoice', group([first], { stored: [] }), { ...clean, missing: 1 }],
])('the idempotency checker counts %s', (_title, repeats, counts) => {
  expect(checkIdempotency([group([first]), repeats])).toEqual(counts);
});
