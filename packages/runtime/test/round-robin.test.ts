import { expect, test } from 'vitest';
import { roundRobin } from '../src/process/round-robin.ts';

test('each item that stays is returned once per round while others are added and removed', () => {
  const items = new Map(Array.from({ length: 8 }, (_, index) => [index, `first ${index}`]));
  const take = roundRobin(items, () => items.values());
  expect(take(1 / 2)).toEqual(['first 0', 'first 1', 'first 2', 'first 3']);
  items.delete(1);
  items.delete(5);
  items.set(8, 'second');
  items.set(9, 'third');
  expect(take(1 / 2)).toEqual(['first 4', 'first 6', 'first 7', 'second']);
  expect(take(1 / 2)).toEqual(['third', 'first 0', 'first 2', 'first 3']);
});

test('a share below one item carries over to the next call, and an empty collection returns nothing', () => {
  const items = new Set(['one', 'two']);
  const take = roundRobin(items, () => items.values());
  expect([take(0.25), take(0.25), take(0.25), take(0.25)]).toEqual([[], ['one'], [], ['two']]);
  expect(take(5)).toEqual(['one', 'two']);
  items.clear();
  expect(take(1)).toEqual([]);
  items.add('three');
  expect(take(1)).toEqual(['three']);
});
