import type { Language } from '../../../ui/language.ts';

const en = {
  lead: 'You have been invited to a project.',
  who: 'Log in with the invited email address, or create an account with it. This browser remembers the invitation until then.',
  logIn: 'Log in',
  register: 'Create account',
  youAre: (email: string) => `You are logged in as ${email}.`,
  ask: 'Only the account with the invited email address can accept.',
  accept: 'Accept invitation',
  other: 'Use another account',
  decline: 'Not now',
  dead: 'This invitation is unknown, has expired, was cancelled or was already accepted. Ask for a new one.',
  otherEmail: (email: string) => `This invitation was not sent to ${email}. Log in with the invited address.`,
  already: 'You are already a member of this project.',
  done: (project: string, role: string) => `You now work in ${project}. Your role: ${role}.`,
  unnamed: 'the project',
  open: 'Open project',
  toOverview: 'Go to my project',
  waiting: 'You have an invitation. Log in with the invited email address, or create an account with it.',
  continue: 'Continue with your invitation',
};

const de: typeof en = {
  lead: 'Sie wurden zur Mitarbeit in einem Projekt eingeladen.',
  who: 'Melden Sie sich mit der eingeladenen E-Mail-Adresse an, oder erstellen Sie damit ein Konto. Ihre Einladung bleibt bis dahin in diesem Browser gespeichert.',
  logIn: 'Anmelden',
  register: 'Konto erstellen',
  youAre: (email) => `Sie sind angemeldet als ${email}.`,
  ask: 'Nur das Konto mit der eingeladenen E-Mail-Adresse kann die Einladung annehmen.',
  accept: 'Einladung annehmen',
  other: 'Anderes Konto verwenden',
  decline: 'Jetzt nicht',
  dead: 'Diese Einladung ist unbekannt, abgelaufen, zurückgezogen oder schon angenommen. Bitten Sie um eine neue.',
  otherEmail: (email) =>
    `Diese Einladung ging nicht an ${email}. Melden Sie sich mit der eingeladenen Adresse an.`,
  already: 'Sie sind bereits Mitglied dieses Projekts.',
  done: (project, role) => `Sie arbeiten jetzt in ${project} mit. Ihre Rolle: ${role}.`,
  unnamed: 'dem Projekt',
  open: 'Projekt öffnen',
  toOverview: 'Zu meinem Projekt',
  waiting:
    'Sie haben eine Einladung. Melden Sie sich mit der eingeladenen E-Mail-Adresse an, oder erstellen Sie damit ein Konto.',
  continue: 'Weiter mit Ihrer Einladung',
};

/** Loaded with the pages of invitations. */
export const INVITATION_TEXTS: Readonly<Record<Language, typeof en>> = { en, de };
