import type { Language } from '../../ui/language.ts';
import { regionOf } from '../../ui/moment.tsx';

/** A day of UTC, as statistics count them, in the reader's words: `2026-11-20`. */
export function utcDayText(day: string, language: Language): string {
  const format = new Intl.DateTimeFormat(regionOf(language), {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return format.format(new Date(day));
}

/** A day in the reader's zone. */
export function dayText(at: string, language: Language): string {
  return new Intl.DateTimeFormat(regionOf(language), { dateStyle: 'medium' }).format(new Date(at));
}
