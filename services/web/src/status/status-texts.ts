import type { ServiceState, ServiceStatus } from '@paywatch/domain/contract';
import type { Language } from '../ui/language.ts';

type Component = ServiceStatus['incidents'][number]['component'];

const en = {
  title: 'Service status',
  overall: {
    operational: 'All systems operational',
    delayed: 'Some parts are delayed',
    unavailable: 'The service is unavailable',
  } satisfies Record<ServiceState, string>,
  states: {
    operational: 'Operational',
    delayed: 'Delayed',
    unavailable: 'Unavailable',
  } satisfies Record<ServiceState, string>,
  checked: (at: string) => `Checked at ${at}`,
  unavailableNote:
    'Your money is not affected: payments go straight to the recipient’s wallet and are detected later.',
  api: 'API and pages',
  streams: 'Live updates',
  streamsDelayed: 'Pages and overlays show changes a few seconds late.',
  tip: (height: string, age: string) => `Block ${height}, ${age} old`,
  chainDelayed: (age: string) =>
    `Last read ${age} ago. Confirmations are late; nothing expires meanwhile, and no payment is lost.`,
  components: {
    BTC: 'Bitcoin payment detection',
    LTC: 'Litecoin payment detection',
    webhooks: 'Webhooks',
    mail: 'Mail',
  } satisfies Record<Component, string>,
  prompt: 'No delay.',
  lag: (age: string) => `Up to ${age} late. Nothing is lost.`,
  incidents: 'Recent incidents',
  noIncidents: 'No incidents in the last 90 days.',
  ongoing: (start: string) => `Since ${start}, ongoing`,
  ended: (start: string, duration: string) => `${start}, for ${duration}`,
  seconds: (count: number) => `${count} s`,
  minutes: (count: number) => `${count} min`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  days: (days: number, hours: number) => `${days} d ${hours} h`,
};
/** The texts of the status page. */
export type StatusTexts = typeof en;

const de: StatusTexts = {
  title: 'Status des Dienstes',
  overall: {
    operational: 'Alles funktioniert',
    delayed: 'Einiges ist verzögert',
    unavailable: 'Der Dienst ist nicht verfügbar',
  },
  states: { operational: 'In Betrieb', delayed: 'Verzögert', unavailable: 'Nicht verfügbar' },
  checked: (at) => `Geprüft um ${at}`,
  unavailableNote:
    'Ihr Geld ist nicht betroffen: Zahlungen gehen direkt an die Wallet der empfangenden Person und werden später erkannt.',
  api: 'API und Seiten',
  streams: 'Live-Aktualisierung',
  streamsDelayed: 'Seiten und Overlays zeigen Änderungen einige Sekunden später.',
  tip: (height, age) => `Block ${height}, ${age} alt`,
  chainDelayed: (age) =>
    `Zuletzt vor ${age} gelesen. Bestätigungen kommen später; inzwischen läuft nichts ab, und keine Zahlung geht verloren.`,
  components: {
    BTC: 'Erkennung von Bitcoin-Zahlungen',
    LTC: 'Erkennung von Litecoin-Zahlungen',
    webhooks: 'Webhooks',
    mail: 'E-Mail',
  },
  prompt: 'Keine Verzögerung.',
  lag: (age) => `Bis zu ${age} Verzögerung. Nichts geht verloren.`,
  incidents: 'Letzte Störungen',
  noIncidents: 'Keine Störungen in den letzten 90 Tagen.',
  ongoing: (start) => `Seit ${start}, dauert an`,
  ended: (start, duration) => `${start}, ${duration} lang`,
  seconds: (count) => `${count} s`,
  minutes: (count) => `${count} min`,
  hours: (hours, minutes) => `${hours} h ${minutes} min`,
  days: (days, hours) => `${days} d ${hours} h`,
};

/** The texts of the status page in every language. Only the server renders it. */
export const STATUS_TEXTS: Readonly<Record<Language, StatusTexts>> = { en, de };
