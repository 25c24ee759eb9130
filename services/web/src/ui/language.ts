/** The languages of the pages; the first is the default. */
export const LANGUAGES = ['en', 'de'] as const;
/** A BCP 47 language tag, as in the `lang` attribute. */
export type Language = (typeof LANGUAGES)[number];

/** The supported language of a tag such as `de-AT`, or null. */
export function languageOf(tag: string | null): Language | null {
  const primary = tag?.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find((language) => language === primary) ?? null;
}

/** Chooses the language: `?lang=` first, then Accept-Language (RFC 9110, 12.5.4), then English. */
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
