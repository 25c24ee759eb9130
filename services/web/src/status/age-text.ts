import type { StatusTexts } from './status-texts.ts';

/** A span of time in its two largest units: `45 s`, `12 min`, `3 h 20 min`, `2 d 4 h`. Never negative. Pure. */
export function ageText(ms: number, texts: StatusTexts): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return texts.seconds(seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return texts.minutes(minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return texts.hours(hours, minutes % 60);
  return texts.days(Math.floor(hours / 24), hours % 24);
}
