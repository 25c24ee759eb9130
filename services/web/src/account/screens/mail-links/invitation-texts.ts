import type { Language } from '../../../ui/language.ts';

const en = {
  lead: 'Somebody has invited you to their project.',
  who: 'Log in to the account with the email address that was invited, or create one. This browser remembers the invitation until then.',
  logIn: 'Log in',
  register: 'Create account',
  youAre: (email: string) => `You are logged in as ${email}.`,
  ask: 'Only the account with the invited email address can accept.',
  accept: 'Accept invitation',
  other: 'Use another account',
  decline: 'Not now',
  dead: 'This invitation is unknown, has expired, was cancelled or was already accepted. Ask for a new one.',
  otherEmail: (email: string) =>
    `This invitation was not sent to ${email}. Log in to the account with the invited address.`,
  already: 'You already work in this project.',
  done: (project: string, role: string) => `You now work in ${project}. Your role: ${role}.`,
  unnamed: 'the project',
  open: 'Open project',
  toOverview: 'Go to my project',
  waiting: 'You have an invitation. Log in to the account with the invited email address, or create one.',
  continue: 'Continue with your invitation',
};

const de: typeof en = {
  lead: 'Sie sind eingeladen, in einem fremden Projekt mitzuarbeiten.',
  who: 'Melden Sie sich mit dem Konto der Adresse an, die die E-Mail erhalten hat, oder erstellen Sie ein Konto mit dieser Adresse. Ihre Einladung bleibt bis dahin in diesem Browser.',
  logIn: 'Anmelden',
  register: 'Konto erstellen',
  youAre: (email) => `Sie sind angemeldet als ${email}.`,
  ask: 'Nur das Konto der Adresse, die die E-Mail erhalten hat, kann annehmen.',
  accept: 'Einladung annehmen',
  other: 'Anderes Konto verwenden',
  decline: 'Jetzt nicht',
  dead: 'Diese Einladung ist unbekannt, abgelaufen, zurückgezogen oder schon angenommen. Bitten Sie um eine neue.',
  otherEmail: (email) =>
    `Diese Einladung ging an eine andere Adresse als ${email}. Melden Sie sich mit dem Konto jener Adresse an.`,
  already: 'Sie arbeiten schon in diesem Projekt.',
  done: (project, role) => `Sie arbeiten jetzt in ${project} mit. Ihre Rolle: ${role}.`,
  unnamed: 'dem Projekt',
  open: 'Projekt öffnen',
  toOverview: 'Zu meinem Projekt',
  waiting:
    'Eine Einladung wartet. Melden Sie sich mit der Adresse an, die sie erhalten hat, oder erstellen Sie ein Konto mit dieser Adresse.',
  continue: 'Weiter mit Ihrer Einladung',
};

/** Loaded with the pages of invitations. */
export const INVITATION_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
