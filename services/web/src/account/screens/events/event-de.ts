import type { EventTexts } from './event-en.ts';

/** What stands on the screen of one event, in German. */
export const eventDe: EventTexts = {
  heading: 'Ereignis',
  redeliver: 'Noch einmal senden',
  redelivered: 'Es wird noch einmal gesendet.',
  nextAttempt: 'Nächster Versuch',
  noAttempts: 'Noch wurde nichts gesendet.',
  answered: (status) => `Antwortete ${status}`,
  noAnswer: 'Keine Antwort',
  took: (ms) => (ms < 1000 ? `${ms} ms` : `${String(Math.round(ms / 100) / 10).replace('.', ',')} s`),
  answer: 'Antwort',
  body: 'Was gesendet wird',
  attemptList: 'Versuche',
};
