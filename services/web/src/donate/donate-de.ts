import type { DonateTexts } from './donate-en.ts';

/** What the donation page says in German. */
export const donateDe: DonateTexts = {
  heading: (name) => (name === null ? 'Spende' : `Spende an ${name}`),
  currency: 'Währung',
  amount: 'Betrag',
  amountHint: 'Lassen Sie ihn leer, um ihn in der Wallet zu wählen.',
  presets: 'Vorgeschlagene Beträge',
  name: 'Ihr Name',
  namePlaceholder: 'Anonym',
  message: 'Nachricht',
  optional: 'freiwillig',
  counted: (count, limit) => `${count} von ${limit} Zeichen`,
  preview: 'So wird es aussehen',
  anonymous: 'Jemand',
  anyAmount: 'einen Betrag Ihrer Wahl',
  submit: 'Weiter zur Zahlung',
  sending: 'Einen Moment …',
  closed: {
    title: 'Hier kann gerade nicht gespendet werden',
    detail: 'Die Inhaberin oder der Inhaber dieses Links muss es erst ermöglichen.',
  },
  busy: {
    title: 'Gerade sind alle Adressen vergeben',
    detail: 'Jede Spende bekommt eine eigene Adresse. Versuchen Sie es in einigen Minuten noch einmal.',
    again: 'Noch einmal versuchen',
  },
  busyCurrencies: (currencies) => `Für ${currencies} ist gerade keine Adresse frei.`,
  proof: {
    announced: 'Gerade spenden viele. Ihr Gerät führt zuerst eine kurze Berechnung aus.',
    solving: 'Ihr Gerät führt eine kurze Berechnung aus …',
    needsScript:
      'Gerade spenden viele. Schalten Sie JavaScript für diese Seite ein, oder versuchen Sie es in einigen Minuten noch einmal.',
  },
  faults: {
    malformed: 'Schreiben Sie eine Zahl von Coins mit höchstens acht Nachkommastellen, etwa 0,0015.',
    below: (least) => `Senden Sie mindestens ${least}; weniger leitet das Netzwerk nicht weiter.`,
    above: (most) => `So viel kann es nicht geben: höchstens ${most}.`,
    tooLong: (limit) => `Verwenden Sie höchstens ${limit} Zeichen.`,
    invisible: 'Davon wäre nichts zu sehen. Schreiben Sie Buchstaben, Ziffern oder Emojis.',
    refused: 'Das wurde nicht angenommen. Bitte ändern Sie es.',
  },
  problems: {
    rate_limited: (seconds) =>
      `Zu viele Spenden aus Ihrem Netz. Versuchen Sie es in ${waitDe(seconds)} noch einmal.`,
    address_pool_busy: (seconds) =>
      `Gerade ist keine Adresse frei. Versuchen Sie es in ${waitDe(seconds)} noch einmal.`,
    closed: 'Hier werden gerade keine Spenden angenommen.',
    currency: 'Diese Währung wird hier gerade nicht angenommen.',
    gone: 'Dieser Spendenlink gilt nicht mehr.',
    elsewhere:
      'Eine andere Website hat dieses Formular ausgefüllt. Prüfen Sie es und senden Sie es von hier ab.',
    proof:
      'Gerade spenden viele. Schalten Sie JavaScript für diese Seite ein, oder versuchen Sie es in einigen Minuten noch einmal.',
    fields: 'Bitte prüfen Sie, was unten markiert ist.',
    unreachable: 'Der Dienst ist nicht erreichbar. Es wurde nichts gesendet; versuchen Sie es noch einmal.',
  },
};

function waitDe(seconds: number): string {
  return seconds < 120 ? `${seconds} Sekunden` : `${Math.ceil(seconds / 60)} Minuten`;
}
