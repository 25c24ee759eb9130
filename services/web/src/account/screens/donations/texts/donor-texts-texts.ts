import type { Language } from '../../../../ui/language.ts';

const en = {
  heading: 'Names and messages of donors',
  hint: 'Paywatch can remove the names and messages of donors after a number of days: from invoices, events, exports, the overlay and the lists of donors. Amounts, times and transactions stay, and the donations still count.',
  label: 'Remove after (days)',
  labelHint: 'From 1 to 3650. Leave empty to keep names and messages.',
  warning:
    'Removed texts cannot be restored. Donations that are already older lose their texts within an hour.',
  refused: 'Enter a whole number of days from 1 to 3650, or leave the field empty.',
  saved: 'Saved.',
  save: 'Save',
};

const de: typeof en = {
  heading: 'Namen und Nachrichten von Spendenden',
  hint: 'Paywatch kann Namen und Nachrichten von Spendenden nach einer Anzahl von Tagen entfernen: aus Rechnungen, Ereignissen, Exporten, dem Overlay und den Listen der Spendenden. Beträge, Zeiten und Transaktionen bleiben erhalten, und die Spenden zählen weiter.',
  label: 'Entfernen nach (Tagen)',
  labelHint: 'Von 1 bis 3650. Lassen Sie das Feld leer, um Namen und Nachrichten zu behalten.',
  warning:
    'Entfernte Texte lassen sich nicht wiederherstellen. Spenden, die schon älter sind, verlieren ihre Texte innerhalb einer Stunde.',
  refused: 'Geben Sie eine ganze Zahl von 1 bis 3650 ein, oder lassen Sie das Feld leer.',
  saved: 'Gespeichert.',
  save: 'Speichern',
};

/** Texts about the retention of donors' names and messages. */
export const DONOR_TEXTS_TEXTS: Record<Language, typeof en> = { en, de };
