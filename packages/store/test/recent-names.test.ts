import { expect, test } from 'vitest';
import { RecentNames } from '../src/recent-names.ts';

test('remembers a name for the time and for at most twice that', () => {
  for (const saidMs of [1000, 1001, 1060, 1099]) {
    const names = new RecentNames(100);
    names.add(['other'], 1000);
    names.add(['name'], saidMs);
    expect(names.has('name', saidMs)).toBe(true);
    expect(names.has('name', saidMs + 100)).toBe(true);
    expect(names.has('name', saidMs + 200)).toBe(false);
  }
});

test('a name said again stays, and one never said is not known', () => {
  const names = new RecentNames(100);
  for (let nowMs = 0; nowMs < 2000; nowMs += 90) {
    names.add(['name'], nowMs);
    expect(names.has('name', nowMs + 89)).toBe(true);
    expect(names.has('other', nowMs + 89)).toBe(false);
  }
});
