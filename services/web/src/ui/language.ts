/** The languages of the pages, in the order of preference where a reader has none. */
export const LANGUAGES = ['en', 'de'] as const;
/** A language, named as in the `lang` attribute (BCP 47). */
export type Language = (typeof LANGUAGES)[number];

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

/** The language of a text such as `de-AT`, or null where there is none. */
export function languageOf(tag: string | null): Language | null {
  const primary = tag?.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** Chooses by what the reader asked for in the address, then by Accept-Language (RFC 9110, 12.5.4), then English. */
export function chooseLanguage(wanted: string | null, acceptLanguage: string | null): Language {
  return languageOf(wanted) ?? preferredLanguage(acceptLanguage ?? '') ?? 'en';
}

function preferredLanguage(acceptLanguage: string): Language | null {
  const ranked = acceptLanguage
    .split(',')
    .map(parseRange)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight);
  for (const { tag } of ranked) {
    const language = languageOf(tag);
    if (language !== null) return language;
  }
  return null;
}

function parseRange(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return { tag, weight: Number.isFinite(weight) ? weight : 0 };
}
