import type { PayTexts } from './pay-en.ts';

/** What the payment page says in German. */
export const payDe: PayTexts = {
  payment: 'Zahlung',
  donation: 'Spende',
  stages: {
    waiting: { title: 'Wartet auf Zahlung', detail: '' },
    closing: {
      title: 'Die Zeit ist um',
      detail:
        'Senden Sie nichts mehr an diese Adresse. Wir suchen noch nach einer Zahlung in letzter Minute …',
    },
    seen: {
      title: 'Zahlung gesehen',
      detail: 'Wartet auf Bestätigungen. Sie können diese Seite schließen.',
    },
    'partial-closing': {
      title: 'Die Zeit ist um',
      detail: 'Ein Teil des Betrags ist angekommen und wird bestätigt. Senden Sie nichts mehr.',
    },
    withdrawn: {
      title: 'Die Zeit ist um',
      detail: 'Die gesehene Zahlung wurde aus dem Netzwerk zurückgezogen. Senden Sie nichts mehr.',
    },
    paid: { title: 'Bezahlt', detail: '' },
    reversed: {
      title: 'Zahlung zurückgenommen',
      detail:
        'Eine hier gezählte Zahlung wurde durch eine widersprechende Transaktion ersetzt. Wenden Sie sich an den Empfänger.',
    },
    underpaid: {
      title: 'Die Zeit ist um; ein Teil des Betrags ist angekommen',
      detail: 'Wenden Sie sich mit der Nummer unten an den Shop.',
    },
    expired: { title: 'Die Zeit ist um', detail: 'Senden Sie nichts mehr an diese Adresse.' },
    late: {
      title: 'Eine Zahlung kam an, als die Zeit um war',
      detail: 'Wenden Sie sich mit der Nummer unten an den Shop.',
    },
  },
  partial: (received, due) => ({ title: `${received} erhalten.`, detail: `Noch zu zahlen: ${due}.` }),
  donated: (name) => ({
    title: 'Vielen Dank!',
    detail: name === null ? 'Ihre Spende ist angekommen.' : `Ihre Spende an ${name} ist angekommen.`,
  }),
  lateDonation: {
    title: 'Eine Zahlung kam an, als die Zeit um war',
    detail: 'Sie wurde trotzdem empfangen.',
  },
  overpaid: (amount) => `${amount} mehr als verlangt kamen an. Wenden Sie sich deswegen an den Shop.`,
  anyAmount: 'Beliebiger Betrag',
  anyAmountHint: 'Den Betrag wählen Sie in Ihrer Wallet.',
  amountDue: 'Zu zahlender Betrag',
  restDue: 'Noch zu zahlen',
  copyAmount: 'Betrag kopieren',
  copyAddress: 'Adresse kopieren',
  copied: 'Kopiert',
  qr: 'QR-Code der Zahlungsaufforderung für Ihre Wallet',
  address: 'Adresse',
  openWallet: 'In der Wallet öffnen',
  timeLeft: 'Verbleibende Zeit',
  steps: (count, required) => `${count} von ${required} Bestätigungen`,
  stepsTime: (minutes) => `Meist etwa ${minutes} Minuten insgesamt.`,
  chainDelayed:
    'Unser Blick auf das Netzwerk ist verzögert. Ihre Zahlung ist sicher; ihr Stand kann nachhinken.',
  reconnecting: (time) => `Verbindung wird wiederhergestellt … Stand von ${time}.`,
  testNetwork: (network) => `Testnetz (${network}): Diese Coins sind nichts wert.`,
  backTo: (name) => `Zurück zu ${name}`,
  backToShop: 'Zurück zum Shop',
  newDonation: 'Noch einmal spenden',
  startAgain: 'Neu beginnen',
  unseenDonation: {
    title: 'Diese Spende ist beendet',
    detail: 'Ihre Zahlungsseite wurde nicht innerhalb von zwei Minuten geöffnet. Es wurde nichts bezahlt.',
  },
  details: 'Einzelheiten',
  detail: {
    invoice: 'Rechnung',
    asked: 'Verlangt',
    received: 'Erhalten',
    network: 'Netzwerk',
    address: 'Adresse',
    created: 'Erstellt',
    expires: 'Zahlbar bis',
    seen: 'Gesehen',
    from: 'Von',
    message: 'Nachricht',
    fee: 'Gebühr',
    transaction: 'Transaktion',
    transactions: 'Transaktionen',
  },
  feeHint: (rate, unit, minutes) => `${rate} ${unit} wird in etwa ${minutes} Minuten bestätigt`,
  explorer: 'Im Block-Explorer ansehen',
  paymentStatus: { unconfirmed: 'unbestätigt', confirmed: 'bestätigt', void: 'ersetzt', late: 'verspätet' },
  loading: 'Wird geladen …',
  unreachable: 'Die Zahlung kann gerade nicht geladen werden. Neuer Versuch folgt …',
  withoutScript: 'Diese Seite erneuert sich selbst.',
};
