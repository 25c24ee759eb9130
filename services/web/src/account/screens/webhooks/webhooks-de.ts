import type { WebhooksTexts } from './webhooks-en.ts';

/** German texts of the webhooks screen. */
export const webhooksDe: WebhooksTexts = {
  heading: 'Webhooks',
  endpoint: 'Endpunkt',
  url: 'URL des Endpunkts',
  urlHint: 'Muss mit https:// beginnen und aus dem Internet erreichbar sein.',
  set: 'Endpunkt festlegen',
  other: 'URL des Endpunkts ändern',
  rotate: 'Schlüssel erneuern',
  rotateAsk: 'Den Signaturschlüssel erneuern?',
  setOn: (day) => `Festgelegt am ${day}.`,
  replaceAsk: (url) => `Den Endpunkt ${url} ersetzen?`,
  replaceDetail:
    'Sie erhalten einen neuen Signaturschlüssel. 24 Stunden lang wird der Header webhook-signature mit beiden Schlüsseln signiert.',
  secret: 'Signaturschlüssel',
  secretHint: 'Prüfen Sie damit den Header X-Signature.',
  test: 'Testereignis senden',
  testType: 'Ereignistyp',
  testSend: 'Senden',
  log: 'Ereignisse',
  empty: 'Noch keine Ereignisse. Das Ergebnis jeder Rechnung erscheint hier mit allen Zustellversuchen.',
  columns: { time: 'Zeit', event: 'Ereignis', invoice: 'Rechnung', delivery: 'Zustellung' },
  testBadge: 'Test',
  attempts: (count) => (count === 1 ? '1 Versuch' : `${count} Versuche`),
  allTypes: 'Alle Typen',
  ofInvoice: (id) => `Ereignisse zu ${id}`,
};
