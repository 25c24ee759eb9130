import type { Figure } from '@paywatch/dev/commands';

/** Figures for the counts that must be 0, and `violations`, their sum. */
export function verdict(forbidden: Readonly<Record<string, number>>): Figure[] {
  const violations = Object.values(forbidden).reduce((sum, count) => sum + count, 0);
  return Object.entries({ ...forbidden, violations }).map(([name, value]) => ({
    name,
    value,
    reach: { atMost: 0 },
  }));
}

/** Figures for the faults, in total and by kind. */
export function faultFigures(faults: Readonly<Record<string, number>>): Figure[] {
  const total = Object.values(faults).reduce((sum, count) => sum + count, 0);
  return [
    { name: 'faults', value: total },
    ...Object.entries(faults).map(([name, value]) => ({ name, value })),
  ];
}
