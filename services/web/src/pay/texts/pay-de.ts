import type { PayTexts } from './pay-en.ts';

/** German texts of the payment page. */
export const payDe: PayTexts = {
  payment: 'Zahlung',
  donation: 'Spende',
  stages: {
    waiting: { title: 'Warten auf Zahlung', detail: '' },
    closing: {
      title: 'Die Zeit ist abgelaufen',
      detail: 'Senden Sie nichts mehr an diese Adresse. Wir prüfen noch auf Zahlungen in letzter Minute …',
    },
    seen: {
      title: 'Zahlung erkannt',
      detail: 'Warten auf Bestätigungen. Sie können diese Seite schließen.',
    },
    'partial-closing': {
      title: 'Die Zeit ist abgelaufen',
      detail: 'Ein Teil des Betrags ist eingegangen und wird bestätigt. Senden Sie nichts mehr.',
    },
    withdrawn: {
      title: 'Die Zeit ist abgelaufen',
      detail: 'Das Netzwerk hat die erkannte Zahlung verworfen. Senden Sie nichts mehr.',
    },
    paid: { title: 'Bezahlt', detail: '' },
    reversed: {
      title: 'Zahlung rückgängig gemacht',
      detail:
        'Eine hier gezählte Zahlung wurde durch eine widersprechende Transaktion ersetzt. Wenden Sie sich an den Empfänger.',
    },
    underpaid: {
      title: 'Die Zeit ist abgelaufen; nur ein Teil des Betrags ist eingegangen',
      detail: 'Wenden Sie sich an den Shop und nennen Sie die Nummer unten.',
    },
    expired: { title: 'Die Zeit ist abgelaufen', detail: 'Senden Sie nichts mehr an diese Adresse.' },
    late: {
      title: 'Eine Zahlung ist zu spät eingegangen',
      detail: 'Wenden Sie sich an den Shop und nennen Sie die Nummer unten.',
    },
  },
  partial: (received, due) => ({ title: `${received} erhalten.`, detail: `Noch zu zahlen: ${due}.` }),
  donated: (name) => ({
    title: 'Vielen Dank!',
    detail: name === null ? 'Ihre Spende ist angekommen.' : `Ihre Spende an ${name} ist angekommen.`,
  }),
  seenDonation: {
    title: 'Vielen Dank!',
    detail:
      'Ihre Spende ist unterwegs. Als Nächstes bestätigt sie das Netzwerk; Sie können die Seite schließen.',
  },
  lateDonation: {
    title: 'Eine Zahlung ist nach Ablauf der Zeit eingegangen',
    detail: 'Sie wurde trotzdem empfangen.',
  },
  overpaid: (amount) => `Sie haben ${amount} mehr als angefordert gezahlt. Wenden Sie sich an den Shop.`,
  anyAmount: 'Beliebiger Betrag',
  anyAmountHint: 'Wählen Sie den Betrag in Ihrer Wallet.',
  amountDue: 'Zu zahlender Betrag',
  restDue: 'Noch zu zahlen',
  copyAmount: 'Betrag kopieren',
  copyAddress: 'Adresse kopieren',
  copied: 'Kopiert',
  qr: 'QR-Code der Zahlungsaufforderung für Ihre Wallet',
  openWallet: 'In der Wallet öffnen',
  timeLeft: 'Verbleibende Zeit',
  steps: (count, required) => `${count} von ${required} Bestätigungen`,
  stepsTime: (minutes) => `Dauert insgesamt meist etwa ${minutes} Minuten.`,
  chainDelayed:
    'Unsere Sicht auf das Netzwerk ist verzögert. Ihre Zahlung ist sicher; der angezeigte Status kann veraltet sein.',
  reconnecting: (time) => `Verbindung wird wiederhergestellt … Letzte Aktualisierung um ${time}.`,
  testNetwork: (network) => `Testnetz (${network}): Diese Coins haben keinen Wert.`,
  backTo: (name) => `Zurück zu ${name}`,
  backToShop: 'Zurück zum Shop',
  returning: (seconds) => (seconds === 1 ? 'Rückkehr in 1 Sekunde' : `Rückkehr in ${seconds} Sekunden`),
  stayHere: 'Auf dieser Seite bleiben',
  newDonation: 'Noch einmal spenden',
  startAgain: 'Neu beginnen',
  unseenDonation: {
    title: 'Diese Spende ist abgelaufen',
    detail: 'Die Zahlungsseite wurde nicht innerhalb von zwei Minuten geöffnet. Es wurde nichts gezahlt.',
  },
  details: 'Details',
  detail: {
    invoice: 'Rechnung',
    requested: 'Angefordert',
    price: 'Preis',
    rate: 'Wechselkurs',
    received: 'Erhalten',
    network: 'Netzwerk',
    created: 'Erstellt',
    expires: 'Zahlbar bis',
    from: 'Von',
    message: 'Nachricht',
    fee: 'Empfohlene Gebühr',
    transactions: 'Transaktionen',
  },
  feeHint: (rate, unit, minutes) => `${rate} ${unit}: Bestätigung in etwa ${minutes} Minuten`,
  explorer: 'Im Block-Explorer ansehen',
  paymentStatus: { unconfirmed: 'unbestätigt', confirmed: 'bestätigt', void: 'ersetzt', late: 'verspätet' },
  loading: 'Wird geladen …',
  unreachable: 'Die Seite kann gerade nicht geladen werden. Neuer Versuch …',
};
