import { donateDe } from '../donate/donate-de.ts';
import { donateEn } from '../donate/donate-en.ts';
import type { Language } from '../ui/language.ts';
import type { DonatePageTexts } from '../donate/load-donate-texts.ts';
import { linkDe } from '../link/link-de.ts';
import { linkEn, type LinkTexts } from '../link/link-en.ts';
import { payPageDe } from '../pay/texts/pay-page-de.ts';
import { payPageEn } from '../pay/texts/pay-page-en.ts';

/** The texts of the page of a payment link in every language. */
export const LINK_TEXTS: Readonly<Record<Language, LinkTexts>> = { en: linkEn, de: linkDe };

/** The texts of the server-rendered pages in every language. Browsers load only their own language. */
export const PAGE_TEXTS: Readonly<Record<Language, DonatePageTexts>> = {
  en: { ...payPageEn, donate: donateEn },
  de: { ...payPageDe, donate: donateDe },
};
