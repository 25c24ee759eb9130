import { expect, test } from 'vitest';
import { takeTurns } from '../src/take-turns.ts';

test('everything that stays has its turn once in every round, whatever comes and goes meanwhile', () => {
  const items = new Map(Array.from({ length: 10 }, (_, index) => [index, `first ${index}`]));
  const take = takeTurns(() => items.values());
  expect(take(4)).toEqual(['first 0', 'first 1', 'first 2', 'first 3']);
  items.delete(1);
  items.delete(5);
  items.set(10, 'second');
  expect(take(4)).toEqual(['first 4', 'first 6', 'first 7', 'first 8']);
  expect(take(4)).toEqual(['first 9', 'second', 'first 0', 'first 2']);
});

test('a call begins one new round at the most, and takes nothing where there is nothing', () => {
  const items = new Set(['one', 'two']);
  const take = takeTurns(() => items.values());
  expect(take(0)).toEqual([]);
  expect(take(2)).toEqual(['one', 'two']);
  expect(take(9)).toEqual(['one', 'two']);
  items.clear();
  expect(take(9)).toEqual([]);
  items.add('three');
  expect(take(1)).toEqual(['three']);
});
