import type { Language } from '../../../../ui/language.ts';

const en = {
  heading: 'Names and messages of donors',
  hint: 'Paywatch can remove what donors wrote about themselves after a time: from invoices, events, exports, the overlay and the lists of donors. Amounts, times and transactions stay, and the donations still count.',
  label: 'Remove after (days)',
  labelHint: 'From 1 to 3650. Leave empty to keep names and messages.',
  warning: 'What was removed cannot be brought back, and older donations lose their texts within an hour.',
  refused: 'Enter a whole number of days from 1 to 3650, or nothing.',
  saved: 'Saved.',
  save: 'Save',
};

const de: typeof en = {
  heading: 'Namen und Nachrichten von Spendenden',
  hint: 'Paywatch kann nach einer Zeit entfernen, was Spendende über sich geschrieben haben: aus Rechnungen, Ereignissen, Exporten, dem Overlay und den Listen der Spendenden. Beträge, Zeiten und Transaktionen bleiben, und die Spenden zählen weiter.',
  label: 'Entfernen nach (Tagen)',
  labelHint: 'Von 1 bis 3650. Lassen Sie das Feld leer, um Namen und Nachrichten zu behalten.',
  warning:
    'Was entfernt ist, lässt sich nicht wiederherstellen. Ältere Spenden verlieren ihre Texte binnen einer Stunde.',
  refused: 'Geben Sie eine ganze Zahl von 1 bis 3650 ein oder nichts.',
  saved: 'Gespeichert.',
  save: 'Speichern',
};

/** Texts about the retention of donors' names and messages. */
export const DONOR_TEXTS_TEXTS: Record<Language, typeof en> = { en, de };
