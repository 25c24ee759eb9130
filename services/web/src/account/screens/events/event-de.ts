import type { EventTexts } from './event-en.ts';

/** German texts of the screen of one event. */
export const eventDe: EventTexts = {
  heading: 'Ereignis',
  redeliver: 'Erneut zustellen',
  redelivered: 'Das Ereignis wird erneut gesendet.',
  nextAttempt: 'Nächster Versuch',
  noAttempts: 'Noch keine Zustellversuche.',
  answered: (status) => `HTTP ${status}`,
  noAnswer: 'Keine Antwort',
  took: (ms) => (ms < 1000 ? `${ms} ms` : `${String(Math.round(ms / 100) / 10).replace('.', ',')} s`),
  response: 'Antwort',
  payload: 'Payload',
  attemptList: 'Zustellversuche',
};
