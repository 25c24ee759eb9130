import type { ErrorCode } from '@paywatch/domain/contract';
import type { Language } from './language.ts';

const en = {
  invoice_not_found: {
    title: 'There is no such payment',
    detail: 'Check the link: it may have been cut off, or belong to another service.',
  },
  not_found: {
    title: 'There is nothing here',
    detail: 'Check the link: it may have been cut off or replaced.',
  },
  rate_limited: { title: 'Too many requests', detail: 'Wait a moment, then load this page again.' },
  unavailable: { title: 'The service cannot answer now', detail: 'Load this page again in a moment.' },
  request: 'Request',
  retry: 'Load again',
};
const de: typeof en = {
  invoice_not_found: {
    title: 'Diese Zahlung gibt es nicht',
    detail: 'Prüfen Sie den Link: Vielleicht ist er abgeschnitten oder gehört zu einem anderen Dienst.',
  },
  not_found: {
    title: 'Hier ist nichts',
    detail: 'Prüfen Sie den Link: Vielleicht ist er abgeschnitten oder wurde ersetzt.',
  },
  rate_limited: {
    title: 'Zu viele Anfragen',
    detail: 'Warten Sie einen Moment und laden Sie die Seite dann neu.',
  },
  unavailable: {
    title: 'Der Dienst kann gerade nicht antworten',
    detail: 'Laden Sie die Seite in einem Moment neu.',
  },
  request: 'Anfrage',
  retry: 'Neu laden',
};

/** What stands on a page that cannot be shown. */
export const PROBLEM_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };

/** The words for a code; what is nobody's fault here is one text. */
export function problemWords(code: ErrorCode, language: Language): { title: string; detail: string } {
  const texts = PROBLEM_TEXTS[language];
  if (code === 'invoice_not_found' || code === 'not_found' || code === 'rate_limited') return texts[code];
  return texts.unavailable;
}
