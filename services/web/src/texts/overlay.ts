import type { Language } from './language.ts';

const en = {
  title: 'Donation alerts',
  somebody: 'Somebody',
  test: 'Test',
  sample: 'This is what a message looks like.',
};
const de: typeof en = {
  title: 'Spendenmeldungen',
  somebody: 'Jemand',
  test: 'Test',
  sample: 'So sieht eine Nachricht aus.',
};

/** The few words of the overlay in every language. */
export const OVERLAY_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
