import { donateDe } from '../donate/texts/donate-de.ts';
import { donateEn, type DonateTexts } from '../donate/texts/donate-en.ts';
import type { Language } from '../ui/language.ts';
import { linkDe } from '../link/link-de.ts';
import { linkEn, type LinkTexts } from '../link/link-en.ts';
import { posDe } from '../pos/pos-de.ts';
import { posEn, type PosTexts } from '../pos/pos-en.ts';
import { payPageDe } from '../pay/texts/pay-page-de.ts';
import { payPageEn, type PayPageTexts } from '../pay/texts/pay-page-en.ts';

/** The texts of the page of a payment link in every language. */
export const LINK_TEXTS: Readonly<Record<Language, LinkTexts>> = { en: linkEn, de: linkDe };

/** Those of the point of sale. */
export const POS_TEXTS: Readonly<Record<Language, PosTexts>> = { en: posEn, de: posDe };

/** The texts of the server-rendered pages in every language. Browsers load only their own language. */
export const PAGE_TEXTS: Readonly<Record<Language, PayPageTexts & { donate: DonateTexts }>> = {
  en: { ...payPageEn, donate: donateEn },
  de: { ...payPageDe, donate: donateDe },
};
