/** What stands on the screen of one event, in English. */
export const eventEn = {
  heading: 'Event',
  redeliver: 'Send again',
  redelivered: 'It is being sent again.',
  nextAttempt: 'Next attempt',
  noAttempts: 'Nothing was sent yet.',
  answered: (status: number) => `Answered ${status}`,
  noAnswer: 'No answer',
  took: (ms: number) => (ms < 1000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`),
  answer: 'Answer',
  body: 'What is sent',
  attemptList: 'Attempts',
};
/** Every language has to fill its shape. */
export type EventTexts = typeof eventEn;
