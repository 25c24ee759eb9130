/** English texts of the screen of one event. */
export const eventEn = {
  heading: 'Event',
  redeliver: 'Redeliver',
  redelivered: 'The event is being sent again.',
  nextAttempt: 'Next attempt',
  noAttempts: 'No delivery attempts yet.',
  answered: (status: number) => `HTTP ${status}`,
  noAnswer: 'No response',
  took: (ms: number) => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`),
  response: 'Response',
  payload: 'Payload',
  attemptList: 'Delivery attempts',
};
/** The shape that every other language has to fill. */
export type EventTexts = typeof eventEn;
