import type { Language } from '../ui/language.ts';

const en = {
  title: 'Donation alerts',
  anonymous: 'Anonymous',
  test: 'Test',
  sample: 'This is what a message looks like.',
};
const de: typeof en = {
  title: 'Spendenmeldungen',
  anonymous: 'Anonym',
  test: 'Test',
  sample: 'So sieht eine Nachricht aus.',
};

/** The texts of the overlay, by language. */
export const OVERLAY_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
