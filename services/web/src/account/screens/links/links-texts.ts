import type { Language } from '../../../ui/language.ts';

const en = {
  heading: 'Payment links',
  lead: 'A page that sells one thing. Send its URL by mail or chat, print it as a QR code, or link to it from your site.',
  needsWallet: 'Add and verify a wallet first. Until then, nobody can buy through a link.',
  empty: 'No payment links yet.',
  add: 'New payment link',
  create: 'Create link',
  title: 'Title',
  titleHint: 'What you sell, as buyers see it.',
  description: 'Description',
  kind: 'Price',
  kinds: {
    price: 'Fixed price',
    coins: 'Fixed amount of coins',
    openPrice: 'Open price, or a point of sale',
    open: 'Open amount of coins',
  },
  amount: 'Amount',
  priceCurrency: 'Currency (such as EUR)',
  coin: 'Coin',
  use: 'Sells',
  uses: { repeated: 'Any number of times', single: 'Once', stock: 'A limited number' },
  stock: 'Number of pieces (at most 1,000)',
  returnUrl: 'Return URL',
  returnUrlHint: 'https address that the payment page leads back to.',
  statuses: { open: 'Open', disabled: 'Disabled', expired: 'Expired', sold_out: 'Sold out' },
  openAmount: (currency: string | null) =>
    currency === null ? 'The buyer names the amount' : `The buyer names the price in ${currency}`,
  singleUse: 'sells once',
  left: (available: number, stock: number) => `${available} of ${stock} left`,
  qr: 'QR code of the payment link',
  showQr: 'Show QR code',
  hideQr: 'Hide QR code',
  enable: 'Enable',
  disable: 'Disable',
  rotate: 'Replace URL',
  rotateAsk: (title: string) => `Replace the URL of “${title}”?`,
  rotateDetail: 'The old URL and printed QR codes stop working at once.',
  remove: 'Delete',
  removeAsk: (title: string) => `Delete “${title}”?`,
  removeDetail: 'Its page stops working. Its invoices stay, and open ones may still be paid.',
  pos: 'Point of sale',
  posDetail:
    'Open this address on the phone that you sell with: a keypad for the amount, the QR code for the buyer, and a tone when the payment is seen. Add it to the home screen. It needs no login and no key; replace the URL if the phone is lost.',
  posQr: 'QR code of the point of sale',
  button: 'Button for your site',
  buttonDetail:
    'Paste this into your page. The link opens in a modal on your site, and as a page of its own where scripts are off.',
  buttonWarning:
    'Your page gets the event “paywatch:paid”. Deliver only after a webhook, never because of this event: anybody can fake it in their own browser.',
  noSites: 'Add your site below first. Browsers refuse the modal on sites that are not listed.',
  sites: 'Your sites',
  sitesDetail:
    'Only these sites may show your payment links and payment pages in a modal. Add a site only if you trust it as you trust your shop.',
  sitesLabel: 'One site per line, at most 20',
  sitesHint: 'Such as https://shop.example, without a path. http only for localhost.',
  sitesRefused: 'Write each site like https://shop.example, without path or wildcard, at most 20.',
};

const de: typeof en = {
  heading: 'Bezahllinks',
  lead: 'Eine Seite, die eine Sache verkauft. Senden Sie ihre URL per Mail oder Chat, drucken Sie sie als QR-Code, oder verlinken Sie sie auf Ihrer Website.',
  needsWallet:
    'Fügen Sie zuerst eine Wallet hinzu und verifizieren Sie sie. Bis dahin kann niemand über einen Link kaufen.',
  empty: 'Noch keine Bezahllinks.',
  add: 'Neuer Bezahllink',
  create: 'Link erstellen',
  title: 'Titel',
  titleHint: 'Was Sie verkaufen, so wie Käufer es sehen.',
  description: 'Beschreibung',
  kind: 'Preis',
  kinds: {
    price: 'Fester Preis',
    coins: 'Fester Betrag in Coins',
    openPrice: 'Offener Preis, oder eine Kasse',
    open: 'Offener Betrag in Coins',
  },
  amount: 'Betrag',
  priceCurrency: 'Währung (etwa EUR)',
  coin: 'Coin',
  use: 'Verkäufe',
  uses: { repeated: 'Beliebig oft', single: 'Einmal', stock: 'Eine begrenzte Anzahl' },
  stock: 'Stückzahl (höchstens 1.000)',
  returnUrl: 'Rücksprung-URL',
  returnUrlHint: 'https-Adresse, zu der die Zahlungsseite zurückführt.',
  statuses: { open: 'Offen', disabled: 'Deaktiviert', expired: 'Abgelaufen', sold_out: 'Ausverkauft' },
  openAmount: (currency) =>
    currency === null ? 'Der Käufer nennt den Betrag' : `Der Käufer nennt den Preis in ${currency}`,
  singleUse: 'ein Verkauf',
  left: (available, stock) => `${available} von ${stock} verfügbar`,
  qr: 'QR-Code des Bezahllinks',
  showQr: 'QR-Code zeigen',
  hideQr: 'QR-Code ausblenden',
  enable: 'Aktivieren',
  disable: 'Deaktivieren',
  rotate: 'URL ersetzen',
  rotateAsk: (title) => `URL von „${title}“ ersetzen?`,
  rotateDetail: 'Die alte URL und gedruckte QR-Codes funktionieren sofort nicht mehr.',
  remove: 'Löschen',
  removeAsk: (title) => `„${title}“ löschen?`,
  removeDetail:
    'Die Seite ist dann nicht mehr erreichbar. Die Rechnungen bleiben, und offene können noch bezahlt werden.',
  pos: 'Kasse',
  posDetail:
    'Öffnen Sie diese Adresse auf dem Telefon, mit dem Sie verkaufen: Tasten für den Betrag, der QR-Code für den Käufer, und ein Ton, sobald die Zahlung gesehen wird. Legen Sie sie auf den Startbildschirm. Sie braucht keine Anmeldung und keinen Schlüssel; ersetzen Sie die URL, wenn das Telefon verloren geht.',
  posQr: 'QR-Code der Kasse',
  button: 'Button für Ihre Website',
  buttonDetail:
    'Fügen Sie dies in Ihre Seite ein. Der Link öffnet sich in einem Fenster auf Ihrer Website, und ohne Skripte als eigene Seite.',
  buttonWarning:
    'Ihre Seite erhält das Ereignis „paywatch:paid“. Liefern Sie erst nach einem Webhook, nie wegen dieses Ereignisses: Jeder kann es in seinem eigenen Browser vortäuschen.',
  noSites:
    'Fügen Sie zuerst unten Ihre Website hinzu. Auf anderen Websites zeigen Browser das Fenster nicht an.',
  sites: 'Ihre Websites',
  sitesDetail:
    'Nur diese Websites dürfen Ihre Bezahllinks und Zahlungsseiten in einem Fenster zeigen. Fügen Sie nur Websites hinzu, denen Sie wie Ihrem Shop vertrauen.',
  sitesLabel: 'Eine Website pro Zeile, höchstens 20',
  sitesHint: 'Etwa https://shop.example, ohne Pfad. http nur für localhost.',
  sitesRefused:
    'Schreiben Sie jede Website wie https://shop.example, ohne Pfad oder Platzhalter, höchstens 20.',
};

/** The texts of the screen of payment links, which is loaded on demand with both languages. */
export const LINKS_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
