import type { DonationsTexts } from './donations-en.ts';

/** German texts of the donations screen and the overlay settings. */
export const donationsDe: DonationsTexts = {
  heading: 'Spenden',
  link: 'Spendenlink',
  linkHint: 'Jeder mit diesem Link kann Ihnen spenden.',
  nameHint: 'Spendende sehen den Namen Ihres Projekts. Er ist noch nicht festgelegt.',
  nameLink: 'Projekt benennen',
  qr: 'QR-Code des Spendenlinks',
  rotate: 'Link ersetzen',
  rotateAsk: { donate: 'Den Spendenlink ersetzen?', overlay: 'Den Overlay-Link ersetzen?' },
  rotateDetail: {
    donate: 'Der bisherige Link funktioniert sofort nicht mehr, wo immer Sie ihn veröffentlicht haben.',
    overlay: 'Der bisherige Link funktioniert sofort nicht mehr. Aktualisieren Sie die Browserquelle in OBS.',
  },
  rotated: 'Link ersetzt. Nur noch der neue Link funktioniert.',
  overlay: 'Overlay für OBS',
  overlayHint:
    'Fügen Sie diese URL in OBS als Browserquelle hinzu. Jeder mit dieser URL kann Ihre Spenden sehen.',
  appearance: 'Darstellung',
  duration: 'Sekunden pro Meldung',
  position: 'Position',
  positions: {
    'top-left': 'Oben links',
    top: 'Oben',
    'top-right': 'Oben rechts',
    center: 'Mitte',
    'bottom-left': 'Unten links',
    bottom: 'Unten',
    'bottom-right': 'Unten rechts',
  },
  theme: 'Design',
  themes: { dark: 'Dunkle Karte', light: 'Helle Karte', plain: 'Nur Text' },
  sound: 'Ton abspielen',
  minAmount: (currency) => `Mindestbetrag in ${currency}`,
  showMessage: 'Nachricht anzeigen',
  preview: 'Vorschau',
  test: 'Testmeldung senden',
  testSent: 'Gesendet. Jedes geöffnete Overlay zeigt die Meldung.',
  recent: 'Letzte Spenden',
  empty: 'Noch keine Spenden. Teilen Sie Ihren Link, um die erste zu erhalten.',
  needsWallet: 'Verifizieren Sie eine Wallet, um Spenden anzunehmen.',
};
