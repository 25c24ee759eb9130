import { expect, test } from 'vitest';
import { youngSet } from '../src/middleware/young-set.ts';
import { collectYoung, countAlive } from './support/collect-young.ts';

test('holds what was added and not taken out, whichever goes first', () => {
  const set = youngSet<number>();
  const takeOut = Array.from({ length: 6 }, (_, number) => set.add(number));
  for (const gone of [0, 5, 2]) takeOut[gone]?.();
  expect(set.all().toSorted((a, b) => a - b)).toEqual([1, 3, 4]);
  set.add(7);
  for (const gone of [1, 3, 4]) takeOut[gone]?.();
  expect(set.all()).toEqual([7]);
});

test('what has passed through is collected while it is young', async () => {
  const set = youngSet<object>();
  let takeOut = set.add({});
  await collectYoung();
  const things = Array.from({ length: 200 }, () => {
    const thing = {};
    const next = set.add(thing);
    takeOut();
    takeOut = next;
    return new WeakRef(thing);
  });
  takeOut();
  await collectYoung();
  // Some may still be in somebody's hand.
  expect(countAlive(things)).toBeLessThan(20);
});
