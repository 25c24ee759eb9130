import type { ProblemTexts } from './problem-en.ts';

/** German texts of the page shown when the requested page is unavailable. */
export const problemDe: ProblemTexts = {
  invoice_not_found: {
    title: 'Zahlung nicht gefunden',
    detail: 'Prüfen Sie den Link. Vielleicht ist er unvollständig oder gehört zu einem anderen Dienst.',
  },
  not_found: {
    title: 'Seite nicht gefunden',
    detail: 'Prüfen Sie den Link. Vielleicht ist er unvollständig oder wurde ersetzt.',
  },
  rate_limited: {
    title: 'Zu viele Anfragen',
    detail: 'Warten Sie einen Moment und laden Sie die Seite dann neu.',
  },
  unavailable: {
    title: 'Dienst nicht verfügbar',
    detail: 'Laden Sie die Seite in einem Moment neu.',
  },
  request: 'Anfrage-ID',
};
