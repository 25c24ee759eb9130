import { useEffect, useState } from 'preact/hooks';
import type { Language } from './language.ts';

/**
 * A time in the reader's time zone, with UTC on hover. The server does not know the zone, so it renders UTC.
 */
export function Moment({ at, language }: { at: string; language: Language }) {
  const [isLocal, setLocal] = useState(false);
  useEffect(() => setLocal(true), []);
  const utc = utcText(at);
  return (
    <time dateTime={at} title={utc} dir="auto">
      {isLocal ? localTime(at, language) : utc}
    </time>
  );
}

/** Formats an API timestamp in UTC to the minute; shown on hover. */
export function utcText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function localTime(at: string, language: Language): string {
  return new Intl.DateTimeFormat(regionOf(language), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(at),
  );
}

/** Formats the time of day in the reader's zone, with seconds. */
export function timeOfDay(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(regionOf(language), { timeStyle: 'medium' }).format(new Date(ms));
}

/** The reader's locale if it is of the page's language (`en-GB`), else the language itself. */
export function regionOf(language: Language): string {
  return navigator.languages.find((tag) => tag.toLowerCase().startsWith(language)) ?? language;
}
