import { waitTimeDe } from '../../ui/wait-time.ts';
import type { DonateTexts } from './donate-en.ts';

const needsScript =
  'Gerade spenden viele Menschen. Schalten Sie JavaScript ein, um fortzufahren, oder versuchen Sie es in einigen Minuten erneut.';

/** German texts of the donation page. */
export const donateDe: DonateTexts = {
  heading: (name) => (name === null ? 'Spende' : `Spende an ${name}`),
  currency: 'Währung',
  amount: 'Betrag',
  unit: 'Einheit des Betrags',
  amountHint: 'Leer lassen, um den Betrag in der Wallet zu wählen.',
  presets: 'Vorgeschlagene Beträge',
  name: 'Ihr Name',
  namePlaceholder: 'Anonym',
  message: 'Nachricht',
  optional: 'optional',
  counted: (count, limit) => `${count} von ${limit} Zeichen`,
  belowMessage: (minimum) =>
    `Nachrichten erscheinen ab ${minimum} im Stream. Bei kleineren Beträgen liest Ihre Nachricht nur die empfangende Person.`,
  messageFrom: (minimum) => `Ihre Nachricht erscheint ab ${minimum} im Stream.`,
  speechFrom: (minimum) =>
    minimum === null ? 'Nachrichten werden vorgelesen.' : `Nachrichten werden ab ${minimum} vorgelesen.`,
  preview: 'Vorschau',
  anonymous: 'Anonym',
  anyAmount: 'einen Betrag Ihrer Wahl',
  submit: 'Weiter zur Zahlung',
  sending: 'Einen Moment …',
  closed: {
    title: 'Derzeit werden keine Spenden angenommen',
    detail: 'Versuchen Sie es später erneut, oder fragen Sie die empfangende Person.',
  },
  busy: {
    title: 'Alle Adressen sind belegt',
    detail: 'Jede Spende erhält eine eigene Adresse. Versuchen Sie es in einigen Minuten erneut.',
    again: 'Erneut versuchen',
  },
  busyCurrencies: (currencies) => `Für ${currencies} ist gerade keine Adresse verfügbar.`,
  proof: {
    announced: 'Gerade spenden viele Menschen. Ihr Gerät führt deshalb zuerst eine kurze Berechnung aus.',
    solving: 'Ihr Gerät führt eine kurze Berechnung aus …',
    needsScript,
  },
  errors: {
    malformed: 'Geben Sie einen Betrag mit höchstens acht Nachkommastellen ein, zum Beispiel 0,0015.',
    malformedPrice: 'Geben Sie einen Betrag wie 5 oder 4,99 ein.',
    below: (minimum) =>
      `Geben Sie mindestens ${minimum} ein. Kleinere Beträge leitet das Netzwerk nicht weiter.`,
    above: (maximum) => `Geben Sie höchstens ${maximum} ein.`,
    tooLong: (limit) => `Verwenden Sie höchstens ${limit} Zeichen.`,
    invisible: 'Dieser Text wäre unsichtbar. Verwenden Sie Buchstaben, Ziffern oder Emojis.',
    refused: 'Diese Eingabe wird nicht angenommen. Bitte ändern Sie sie.',
  },
  problems: {
    rate_limited: (seconds) =>
      `Zu viele Spenden aus Ihrem Netzwerk. Versuchen Sie es in ${waitTimeDe(seconds)} erneut.`,
    address_pool_busy: (seconds) =>
      `Gerade ist keine Adresse verfügbar. Versuchen Sie es in ${waitTimeDe(seconds)} erneut.`,
    closed: 'Hier werden derzeit keine Spenden angenommen.',
    currency: 'Diese Währung wird hier derzeit nicht angenommen.',
    noRate:
      'Gerade ist kein Wechselkurs verfügbar. Geben Sie den Betrag in Coins ein, oder versuchen Sie es in einer Minute erneut.',
    gone: 'Dieser Spendenlink ist nicht mehr gültig.',
    elsewhere:
      'Eine andere Website hat dieses Formular ausgefüllt. Prüfen Sie es und senden Sie es erneut ab.',
    proof: needsScript,
    fields: 'Korrigieren Sie die markierten Felder.',
    unreachable: 'Der Dienst ist nicht erreichbar. Es wurde nichts gesendet. Bitte versuchen Sie es erneut.',
  },
};
