import type { Language } from '../texts/language.ts';
import { regionOf } from '../ui/moment.tsx';

/** A day in the reader's zone. */
export function dayText(at: string, language: Language): string {
  return new Intl.DateTimeFormat(regionOf(language), { dateStyle: 'medium' }).format(new Date(at));
}
