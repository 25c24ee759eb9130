import type { Figure, Terminal } from '@paywatch/dev/commands';
import { expect, test } from 'vitest';
import { BOUNDS, sumUp } from './hostile-holdings.ts';
import { judge, run } from './hostile.ts';

const silent: Terminal = { step: (_title, work) => work(), done: () => undefined, line: () => undefined };

test('while one network misbehaves in every known way no honest request is rejected, and its rows are bounded', async () => {
  const figures = await run({ seconds: 8, share: 0.1, seed: 1, isSlow: false, terminal: silent });
  // On a slow machine logins are rejected by contract, because the queue for password hashes is full.
  const allowed = ['refused', 'refused_login_503'];
  const refusals = figures.filter(({ name }) => name.startsWith('refused') && !allowed.includes(name));
  expect(refusals).toEqual([]);
  expect(valueOf(figures, 'beyond_bounds')).toBe(0);
  expect(valueOf(figures, 'operations')).toBeGreaterThan(100);
  expect(valueOf(figures, 'faults')).toBeGreaterThan(100);
});

test('a rejection, a slow response, a slow first invoice and a table above its bound are violations', () => {
  const request = { name: 'create', expected: 201, status: 201, durationMs: 20 };
  const holdings: ReturnType<typeof sumUp> = { addresses: 5, rows: 5, bytes: 5, beyondBounds: [] };
  const given = { honest: [request], actions: { logins: 3 }, calmMs: 700, newMs: 900, holdings };
  const violations = (change: Partial<typeof given>) => valueOf(judge({ ...given, ...change }), 'violations');
  expect(violations({})).toBe(0);
  expect(violations({ honest: [{ ...request, status: 503 }] })).toBe(1);
  expect(violations({ honest: [{ ...request, durationMs: 1001 }] })).toBe(1);
  expect(violations({ newMs: 45_000 })).toBe(1);
  expect(violations({ holdings: { ...holdings, beyondBounds: ['pools'] } })).toBe(1);
});

test('one row too many exceeds the bound of a table', () => {
  const most = BOUNDS['api_keys'] ?? 0;
  expect(beyondWith(most)).toEqual([]);
  expect(beyondWith(most + 1)).toEqual(['api_keys']);
  expect(sumUp(new Map([['api_keys', { rows: 1, bytes: 6_000_000 }]])).beyondBounds).toEqual(['bytes']);
});

function beyondWith(rows: number): string[] {
  return sumUp(new Map([['api_keys', { rows, bytes: 100 }]])).beyondBounds;
}

function valueOf(figures: readonly Figure[], name: string): number | undefined {
  return figures.find((figure) => figure.name === name)?.value;
}
