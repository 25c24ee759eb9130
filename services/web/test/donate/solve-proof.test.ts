import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256Head } from '../../src/donate/sha256-head.ts';
import { solveAmong, solveProof } from '../../src/donate/solve-proof.ts';

const CHALLENGE = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4AAAAAA';
const headOf = (text: string) => createHash('sha256').update(text).digest().readInt32BE();

test('hashes every text of one block as SHA-256 does', () => {
  for (let length = 0; length <= 55; length += 1) {
    const text = 'x.0Z-_9'.repeat(8).slice(0, length);
    expect(sha256Head(text), text).toBe(headOf(text));
  }
  expect(() => sha256Head('x'.repeat(56))).toThrow(RangeError);
});

test('finds the first number that solves a challenge', async () => {
  const solution = await solveProof({ challenge: CHALLENGE, difficulty: 12 }, () => undefined);
  expect(Math.clz32(headOf(solution))).toBeGreaterThanOrEqual(12);
  const number = Number(solution.split('.')[1]);
  expect(solveAmong(CHALLENGE, 12, 0, number)).toBeNull();
});

test('tells progress that only grows, and never that it is done', async () => {
  const told: number[] = [];
  await solveProof({ challenge: CHALLENGE, difficulty: 17 }, (share) => told.push(share));
  expect(told.length).toBeGreaterThan(0);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(Math.max(...told)).toBeLessThan(1);
});
