import { waitTimeDe } from '../ui/wait-time.ts';
import type { LinkTexts } from './link-en.ts';

const needsScript =
  'Gerade kaufen viele Menschen. Schalten Sie JavaScript ein, um fortzufahren, oder versuchen Sie es in einigen Minuten erneut.';

/** German texts of the page of a payment link. */
export const linkDe: LinkTexts = {
  currency: 'Bezahlen mit',
  amount: 'Betrag',
  amountHint: (currency) => `In ${currency}.`,
  left: (count) => (count === 1 ? 'Letztes Stück' : `Noch ${count} verfügbar`),
  atCurrentRate: 'Wird beim Fortfahren zum aktuellen Kurs umgerechnet.',
  submit: 'Weiter zur Zahlung',
  sending: 'Einen Moment …',
  busyCurrencies: (currencies) => `Für ${currencies} ist gerade keine Adresse verfügbar.`,
  closed: {
    disabled: {
      title: 'Dieser Link ist geschlossen',
      detail: 'Bitten Sie den Verkäufer um einen neuen Link.',
    },
    expired: { title: 'Dieser Link ist abgelaufen', detail: 'Bitten Sie den Verkäufer um einen neuen Link.' },
    sold_out: {
      title: 'Ausverkauft',
      detail:
        'Wenn ein anderer Käufer nicht rechtzeitig zahlt, ist in einigen Minuten vielleicht wieder ein Stück verfügbar.',
    },
    used: {
      title: 'Bereits bezahlt',
      detail: 'Dieser Link kann nur einmal bezahlt werden und wurde bereits bezahlt.',
    },
    paused: {
      title: 'Derzeit werden keine Zahlungen angenommen',
      detail: 'Versuchen Sie es später erneut oder fragen Sie den Verkäufer.',
    },
    busy: {
      title: 'Alle Adressen sind belegt',
      detail: 'Jede Zahlung erhält eine eigene Adresse. Versuchen Sie es in einigen Minuten erneut.',
    },
    again: 'Erneut versuchen',
  },
  proof: {
    announced: 'Gerade kaufen viele Menschen. Ihr Gerät führt deshalb zuerst eine kurze Berechnung aus.',
    solving: 'Ihr Gerät führt eine kurze Berechnung aus …',
    needsScript,
  },
  errors: {
    malformedCoins: 'Geben Sie einen Betrag mit höchstens acht Nachkommastellen ein, zum Beispiel 0,0015.',
    malformedPrice: 'Geben Sie einen Betrag wie 19,99 ein.',
    refused: 'Dieser Betrag wird nicht angenommen. Geben Sie einen anderen ein.',
  },
  problems: {
    rate_limited: (seconds) =>
      `Zu viele unbezahlte Käufe aus Ihrem Netzwerk. Versuchen Sie es in ${waitTimeDe(seconds)} erneut.`,
    address_pool_busy: (seconds) =>
      `Gerade ist keine Adresse verfügbar. Versuchen Sie es in ${waitTimeDe(seconds)} erneut.`,
    rate_unavailable: 'Gerade gibt es keinen verlässlichen Kurs. Versuchen Sie es in einigen Minuten erneut.',
    closed: 'Hier werden derzeit keine Zahlungen angenommen.',
    sold_out:
      'Das letzte Stück wurde gerade vergeben. Wird es nicht rechtzeitig bezahlt, ist es in einigen Minuten vielleicht wieder verfügbar.',
    currency: 'Diese Währung wird hier derzeit nicht angenommen.',
    gone: 'Dieser Link ist nicht mehr gültig. Bitten Sie den Verkäufer um einen neuen.',
    elsewhere:
      'Eine andere Website hat dieses Formular ausgefüllt. Prüfen Sie es und senden Sie es erneut ab.',
    proof: needsScript,
    fields: 'Korrigieren Sie die markierten Felder.',
    unreachable: 'Der Dienst ist nicht erreichbar. Es wurde nichts gesendet. Bitte versuchen Sie es erneut.',
  },
};
