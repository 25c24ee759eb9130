import { donateDe } from '../donate/donate-de.ts';
import { donateEn } from '../donate/donate-en.ts';
import type { Language } from '../ui/language.ts';
import type { DonatePageTexts } from '../donate/load-donate-texts.ts';
import { payPageDe } from '../pay/texts/pay-page-de.ts';
import { payPageEn } from '../pay/texts/pay-page-en.ts';

/** The texts of the pages that are rendered on the server, in every language. Browsers fetch only the one that is read. */
export const PAGE_TEXTS: Readonly<Record<Language, DonatePageTexts>> = {
  en: { ...payPageEn, donate: donateEn },
  de: { ...payPageDe, donate: donateDe },
};
