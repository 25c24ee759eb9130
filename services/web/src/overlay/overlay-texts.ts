import type { Language } from '../ui/language.ts';

const en = {
  anonymous: 'Anonymous',
  test: 'Test',
  sample: 'This is what a message looks like.',
};
const de: typeof en = {
  anonymous: 'Anonym',
  test: 'Test',
  sample: 'So sieht eine Nachricht aus.',
};

/** The texts of the overlay, by language. */
export const OVERLAY_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };

/** The title of the document, which the server renders: OBS shows none, so the scripts leave it out. */
export const OVERLAY_TITLES: Readonly<Record<Language, string>> = {
  en: 'Donation alerts',
  de: 'Spendenmeldungen',
};
