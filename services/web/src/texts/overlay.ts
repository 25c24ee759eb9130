import type { Language } from './language.ts';

const en = { title: 'Donation alerts', somebody: 'Somebody', test: 'Test' };
const de: typeof en = { title: 'Spendenmeldungen', somebody: 'Jemand', test: 'Test' };

/** The few words of the overlay in every language. */
export const OVERLAY_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
