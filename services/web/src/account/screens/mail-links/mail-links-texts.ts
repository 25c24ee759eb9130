import type { Language } from '../../../ui/language.ts';
import { mailLinksDe } from './mail-links-de.ts';
import { mailLinksEn, type MailLinksTexts } from './mail-links-en.ts';

/** Not among the texts of the whole area: few visitors open these pages. */
export const MAIL_LINKS_TEXTS: Readonly<Record<Language, MailLinksTexts>> = {
  en: mailLinksEn,
  de: mailLinksDe,
};
