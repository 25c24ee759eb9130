import { expect, test } from 'vitest';
import { createBatcher } from '../src/attempts/batcher.ts';

test('calls of one turn share a batch, calls made meanwhile share the next, and each gets its own result', async () => {
  const batches: number[][] = [];
  const double = createBatcher(
    async (items: number[]) => {
      batches.push(items);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return items.map((item) => item * 2);
    },
    { maxSize: 3, maxRunning: 1, stepMs: 0, isItemsFault: () => true },
  );
  const first = [double(1), double(2)];
  await new Promise((resolve) => setImmediate(resolve));
  const later = [double(3), double(4), double(5), double(6)];
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('under load a batch begins no sooner than its step after the last one, and the first at once', async () => {
  const beganMs: number[] = [];
  const stepMs = 50;
  const note = createBatcher(
    async (items: number[]) => {
      beganMs.push(performance.now());
      return items;
    },
    { maxSize: 100, maxRunning: 2, stepMs, isItemsFault: () => true },
  );
  const noted = note(1);
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(beganMs).toHaveLength(1);
  await noted;
  await Promise.all([note(2), note(3)]);
  expect(beganMs).toHaveLength(2);
  const [first = 0, second = 0] = beganMs;
  // Timers are accurate to a millisecond.
  expect(second - first).toBeGreaterThan(stepMs - 1.5);
});

test('one bad item fails by itself', async () => {
  const strict = createBatcher(
    async (items: number[]) => {
      if (items.includes(2)) throw new Error('no twos');
      return items;
    },
    { maxSize: 10, maxRunning: 2, stepMs: 0, isItemsFault: () => true },
  );
  const settled = await Promise.allSettled([strict(1), strict(2), strict(3)]);
  expect(settled.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('what is no item’s fault fails the batch, which is not taken apart', async () => {
  const sizes: number[] = [];
  const away = createBatcher(
    (items: number[]) => {
      sizes.push(items.length);
      return Promise.reject(new Error('the server is away'));
    },
    { maxSize: 10, maxRunning: 1, stepMs: 0, isItemsFault: () => false },
  );
  const settled = await Promise.allSettled([away(1), away(2), away(3)]);
  expect(settled.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(sizes).toEqual([3]);
});
