import { donateDe } from './donate-de.ts';
import { donateEn, type DonateTexts } from './donate-en.ts';
import type { Language } from './language.ts';
import { payDe } from './pay-de.ts';
import { payEn, type PayTexts } from './pay-en.ts';

/** The texts of the payment page in every language. */
export const PAY_TEXTS: Readonly<Record<Language, PayTexts>> = { en: payEn, de: payDe };

/** The texts of the donation page in every language. */
export const DONATE_TEXTS: Readonly<Record<Language, DonateTexts>> = { en: donateEn, de: donateDe };

export { OVERLAY_TEXTS } from './overlay.ts';
