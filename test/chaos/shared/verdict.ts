import type { Figure } from '@paywatch/dev/commands';

/** What must never happen, by its name, and `violations`, the sum. */
export function verdict(forbidden: Readonly<Record<string, number>>): Figure[] {
  const violations = Object.values(forbidden).reduce((sum, count) => sum + count, 0);
  return Object.entries({ ...forbidden, violations }).map(([name, value]) => ({
    name,
    value,
    reach: { atMost: 0 },
  }));
}

/** How many faults there were, and how many of each kind. */
export function faultFigures(faults: Readonly<Record<string, number>>): Figure[] {
  const total = Object.values(faults).reduce((sum, count) => sum + count, 0);
  return [
    { name: 'faults', value: total },
    ...Object.entries(faults).map(([name, value]) => ({ name, value })),
  ];
}
