import type { DonationsTexts } from './donations-en.ts';

/** German texts of the donations screen. */
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
  settings: 'Einstellungen des Overlays',
  preview: 'Vorschau',
  test: 'Testmeldung senden',
  testSent: 'Gesendet. Jedes geöffnete Overlay zeigt die Meldung.',
  recent: 'Letzte Spenden',
  all: 'Alle Spenden, auch unbezahlte',
  anonymous: 'Anonym',
  columns: { from: 'Von', message: 'Nachricht', amount: 'Betrag', time: 'Zeit' },
  empty: 'Noch keine Spenden. Teilen Sie Ihren Link, um die erste zu erhalten.',
  needsWallet: 'Verifizieren Sie eine Wallet, um Spenden anzunehmen.',
};
