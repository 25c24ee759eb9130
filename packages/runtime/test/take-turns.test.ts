import { expect, test } from 'vitest';
import { takeTurns } from '../src/process/take-turns.ts';

test('everything that stays has its turn once in every round, whatever comes and goes meanwhile', () => {
  const items = new Map(Array.from({ length: 8 }, (_, index) => [index, `first ${index}`]));
  const take = takeTurns(items, () => items.values());
  expect(take(1 / 2)).toEqual(['first 0', 'first 1', 'first 2', 'first 3']);
  items.delete(1);
  items.delete(5);
  items.set(8, 'second');
  items.set(9, 'third');
  expect(take(1 / 2)).toEqual(['first 4', 'first 6', 'first 7', 'second']);
  expect(take(1 / 2)).toEqual(['third', 'first 0', 'first 2', 'first 3']);
});

test('what is less than one item is taken with a later call, and nothing where there is nothing', () => {
  const items = new Set(['one', 'two']);
  const take = takeTurns(items, () => items.values());
  expect([take(0.25), take(0.25), take(0.25), take(0.25)]).toEqual([[], ['one'], [], ['two']]);
  expect(take(5)).toEqual(['one', 'two']);
  items.clear();
  expect(take(1)).toEqual([]);
  items.add('three');
  expect(take(1)).toEqual(['three']);
});
