import type { OperatedAccountView } from '@paywatch/domain/contract';
import type { Language } from '../../../ui/language.ts';
import { regionOf } from '../../../ui/moment.tsx';
import type { OperatorTexts } from './operator-texts.ts';

/** A subscription in words. */
export function subscriptionText(
  { active, active_until: until }: OperatedAccountView['subscription'],
  words: OperatorTexts['subscription'],
  language: Language,
): string {
  if (until === null) return words.never;
  const day = utcDay(until, language);
  return active ? words.active(day) : words.ended(day);
}

/** The UTC day of a timestamp: the end of a subscription is set in UTC, and local days may differ. */
export function utcDay(at: string, language: Language): string {
  const format = new Intl.DateTimeFormat(regionOf(language), { dateStyle: 'medium', timeZone: 'UTC' });
  return format.format(new Date(at));
}
