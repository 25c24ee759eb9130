import type { Language } from '../../../../ui/language.ts';
import { regionOf } from '../../../../ui/moment.tsx';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats seconds in the largest unit that gives a whole number: `7 days`, `36 hours`. */
export function durationText(seconds: number, language: Language): string {
  const [unit, size] = UNITS.find(([, length]) => seconds >= length && seconds % length === 0) ?? UNITS[3];
  const format = new Intl.NumberFormat(regionOf(language), { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(seconds / size);
}
