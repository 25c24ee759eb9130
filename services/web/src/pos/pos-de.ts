import type { PosTexts } from './pos-en.ts';

/** German texts of the point of sale. */
export const posDe: PosTexts = {
  heading: 'Kasse',
  amount: 'Betrag',
  keypad: 'Tastenfeld für den Betrag',
  back: 'Letzte Ziffer löschen',
  point: 'Komma',
  pointSign: ',',
  note: 'Notiz (optional)',
  noteHint: 'Zum Beispiel eine Tischnummer. Nur Sie sehen sie, am Ende der Bestellnummer.',
  charge: (currency) => `In ${currency} kassieren`,
  enterAmount: 'Geben Sie einen Betrag ein.',
  starting: 'Verkauf wird angelegt …',
  offline:
    'Keine Verbindung. Der Verkauf wird automatisch fortgesetzt, sobald Sie wieder online sind, und nur einmal angelegt.',
  cancel: 'Abbrechen',
  newSale: 'Neuer Verkauf',
  sale: 'Verkauf',
  needsScript: 'Schalten Sie JavaScript ein, um die Kasse zu benutzen.',
  last: 'Letzte Verkäufe auf diesem Gerät',
  states: {
    open: 'Noch nicht bezahlt',
    seen: 'Zahlung erkannt',
    paid: 'Bezahlt',
    unpaid: 'Nicht bezahlt',
    check: 'Rechnung prüfen',
  },
};
