import type { ProblemTexts } from './problem-en.ts';

/** What stands, in German, on a page that cannot be shown. */
export const problemDe: ProblemTexts = {
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
