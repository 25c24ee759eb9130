import type { WebhooksTexts } from './webhooks-en.ts';

/** What stands on the screen of webhooks, in German. */
export const webhooksDe: WebhooksTexts = {
  heading: 'Webhooks',
  endpoint: 'Endpunkt',
  url: 'Adresse Ihres Endpunkts',
  urlHint: 'Nur https, aus dem Internet erreichbar.',
  set: 'Endpunkt setzen',
  other: 'Ein anderer Endpunkt oder ein neues Geheimnis',
  setOn: (day) => `Gesetzt am ${day}.`,
  replaceAsk: (url) => `Den Endpunkt ${url} ersetzen?`,
  replaceDetail:
    'Auch das Geheimnis wechselt. 24 Stunden lang trägt die Signatur nach Standard Webhooks beide.',
  secret: 'Signaturgeheimnis',
  secretHint: 'Prüfen Sie damit den Header X-Signature.',
  test: 'Probeereignis senden',
  testType: 'Art des Ereignisses',
  testSend: 'Senden',
  log: 'Ereignisse',
  empty:
    'Noch keine Ereignisse. Jeder Ausgang einer Rechnung steht hier, mit jedem Versuch, ihn zuzustellen.',
  columns: { time: 'Zeit', event: 'Ereignis', invoice: 'Rechnung', delivery: 'Zustellung' },
  testBadge: 'Probe',
  attempts: (count) => (count === 1 ? '1 Versuch' : `${count} Versuche`),
  allTypes: 'Alle Arten',
  ofInvoice: (id) => `Ereignisse von ${id}`,
};
