import type { Language } from '../../ui/language.ts';
import { regionOf } from '../../ui/moment.tsx';

/** Formats a UTC day of the statistics such as `2026-11-20` in the reader's locale. */
export function utcDayText(day: string, language: Language): string {
  const format = new Intl.DateTimeFormat(regionOf(language), {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
  return format.format(new Date(day));
}

/** Formats a timestamp as a day in the reader's time zone and locale. */
export function dayText(at: string, language: Language): string {
  return new Intl.DateTimeFormat(regionOf(language), { dateStyle: 'medium' }).format(new Date(at));
}
