import { expect, test } from 'vitest';
import { createBatcher } from '../src/attempts/batcher.ts';

test('calls of one turn share a batch, calls made while it runs share the next, and each gets its own result', async () => {
  const batches: number[][] = [];
  const double = createBatcher(
    async (items: number[]) => {
      batches.push(items);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return items.map((item) => item * 2);
    },
    { maxSize: 3, maxRunning: 1, intervalMs: 0, mayBeItemError: () => true },
  );
  const first = [double(1), double(2)];
  await new Promise((resolve) => setImmediate(resolve));
  const later = [double(3), double(4), double(5), double(6)];
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('the first batch starts at once, and the next one no earlier than the interval', async () => {
  const startedMs: number[] = [];
  const intervalMs = 50;
  const note = createBatcher(
    async (items: number[]) => {
      startedMs.push(performance.now());
      return items;
    },
    { maxSize: 100, maxRunning: 2, intervalMs, mayBeItemError: () => true },
  );
  const calledMs = performance.now();
  const noted = note(1);
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(startedMs).toHaveLength(1);
  await noted;
  await Promise.all([note(2), note(3)]);
  expect(startedMs).toHaveLength(2);
  // The interval begins between the call and the moment in which the batch runs. Timers are accurate to a millisecond.
  expect((startedMs[1] ?? 0) - calledMs).toBeGreaterThan(intervalMs - 1.5);
});

test('an item that fails does not fail the others of its batch', async () => {
  const strict = createBatcher(
    async (items: number[]) => {
      if (items.includes(2)) throw new Error('no twos');
      return items;
    },
    { maxSize: 10, maxRunning: 2, intervalMs: 0, mayBeItemError: () => true },
  );
  const settled = await Promise.allSettled([strict(1), strict(2), strict(3)]);
  expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an error that no item caused fails the whole batch without retries', async () => {
  const sizes: number[] = [];
  const failing = createBatcher(
    (items: number[]) => {
      sizes.push(items.length);
      return Promise.reject(new Error('server unavailable'));
    },
    { maxSize: 10, maxRunning: 1, intervalMs: 0, mayBeItemError: () => false },
  );
  const settled = await Promise.allSettled([failing(1), failing(2), failing(3)]);
  expect(settled.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(sizes).toEqual([3]);
});
