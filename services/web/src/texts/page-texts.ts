import type { Language } from './language.ts';
import { payDe } from './pay-de.ts';
import { payEn, type PayTexts } from './pay-en.ts';

/** The texts of the payment page in every language. */
export const PAY_TEXTS: Readonly<Record<Language, PayTexts>> = { en: payEn, de: payDe };
