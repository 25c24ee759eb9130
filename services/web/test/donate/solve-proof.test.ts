import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256Head } from '../../src/donate/start/sha256-head.ts';
import { solveAmong, solveProof } from '../../src/donate/start/solve-proof.ts';

const CHALLENGE = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4AAAAAA';
const headOf = (text: string) => createHash('sha256').update(text).digest().readInt32BE();

test('the hash of every text that fits into one block is that of SHA-256', () => {
  for (let length = 0; length <= 55; length += 1) {
    const text = 'x.0Z-_9'.repeat(8).slice(0, length);
    expect(sha256Head(text), text).toBe(headOf(text));
  }
  expect(() => sha256Head('x'.repeat(56))).toThrow(RangeError);
});

test('the solver finds the smallest number that solves a challenge', async () => {
  const solution = await solveProof({ challenge: CHALLENGE, difficulty: 12 }, () => undefined);
  expect(Math.clz32(headOf(solution))).toBeGreaterThanOrEqual(12);
  const number = Number(solution.split('.')[1]);
  expect(solveAmong(CHALLENGE, 12, 0, number)).toBeNull();
});

test('the reported progress only grows and stays below 1', async () => {
  const progress: number[] = [];
  await solveProof({ challenge: CHALLENGE, difficulty: 17 }, (share) => progress.push(share));
  expect(progress.length).toBeGreaterThan(0);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(Math.max(...progress)).toBeLessThan(1);
});
