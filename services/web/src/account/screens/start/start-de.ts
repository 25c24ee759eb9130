import type { StartTexts } from './start-en.ts';

/** German texts of the guided setup. */
export const startDe: StartTexts = {
  heading: 'Erste Schritte',
  lead: 'Fünf Schritte bis zur ersten Zahlung. Ihr Fortschritt wird gespeichert, Sie können jederzeit weitermachen.',
  progress: (done, all) => `${done} von ${all} erledigt`,
  done: 'Erledigt',
  open: 'Offen',
  skip: 'Zur Übersicht',
  allDone: 'Alles ist eingerichtet. Sie können Zahlungen empfangen.',
  doItWithApi: 'Mit der API erledigen',
  steps: {
    key: {
      title: 'API-Schlüssel',
      detail: 'Damit authentifiziert sich Ihr Server. Speichern Sie ihn nur auf Ihrem Server.',
    },
    wallet: {
      title: 'Wallet',
      detail:
        'Geben Sie den erweiterten öffentlichen Schlüssel Ihrer eigenen Wallet ein. Paywatch leitet daraus Adressen ab. Ausgeben kann damit niemand etwas.',
    },
    verify: {
      title: 'Verifizieren',
      detail: 'Prüfen Sie eine Adresse, um sicherzugehen, dass Zahlungen bei Ihnen ankommen.',
    },
    webhook: {
      title: 'Webhook',
      detail: 'Unter dieser URL benachrichtigt Paywatch Ihren Server, wenn eine Zahlung bestätigt ist.',
    },
    invoice: {
      title: 'Erste Rechnung',
      detail: 'Erstellen Sie eine Rechnung und sehen Sie sich ihre Zahlungsseite an.',
    },
  },
  walletFirst: 'Fügen Sie zuerst eine Wallet hinzu (voriger Schritt).',
  verified: (currency) => `Ihre ${currency}-Wallet ist verifiziert.`,
  webhookDone: (url) => `Ereignisse werden an ${url} gesendet`,
  invoiceDone: 'Ihre erste Rechnung ist fertig. Diese Seite sehen Ihre Kunden:',
};
