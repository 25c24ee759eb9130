import type { StartTexts } from './start-en.ts';

/** What stands on the guided start, in German. */
export const startDe: StartTexts = {
  heading: 'Erste Schritte',
  lead: 'Fünf Schritte bis zur ersten Zahlung. Was getan ist, bleibt getan; kommen Sie jederzeit zurück.',
  progress: (done, all) => `${done} von ${all} erledigt`,
  done: 'Erledigt',
  open: 'Zu tun',
  later: 'Zur Übersicht',
  allDone: 'Alles ist eingerichtet. Zahlungen können kommen.',
  sameByCall: 'Dasselbe als Aufruf',
  steps: {
    key: {
      title: 'API-Schlüssel',
      detail: 'Damit weist sich Ihr Server aus. Bewahren Sie ihn nur auf dem Server auf.',
    },
    wallet: {
      title: 'Wallet',
      detail:
        'Geben Sie den erweiterten öffentlichen Schlüssel Ihrer eigenen Wallet an. Daraus werden Adressen abgeleitet; ausgeben kann damit niemand etwas.',
    },
    verify: {
      title: 'Prüfen',
      detail: 'Vergleichen Sie eine Adresse, damit Zahlungen sicher in Ihrer Wallet ankommen.',
    },
    webhook: {
      title: 'Webhook',
      detail: 'Dorthin melden wir Ihrem Server, dass eine Zahlung bestätigt ist.',
    },
    invoice: {
      title: 'Erste Rechnung',
      detail: 'Erstellen Sie eine und sehen Sie sich ihre Zahlungsseite an.',
    },
  },
  walletFirst: 'Registrieren Sie zuerst eine Wallet: Das ist der Schritt davor.',
  verified: (currency) => `Die ${currency}-Wallet ist geprüft.`,
  webhookDone: (url) => `Ereignisse gehen an ${url}`,
  invoiceDone: 'Ihre erste Rechnung ist da. So sehen sie Ihre Zahlenden:',
};
