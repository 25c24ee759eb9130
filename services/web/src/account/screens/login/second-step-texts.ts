import type { Language } from '../../../ui/language.ts';

type SecondStepTexts = Readonly<
  Record<'title' | 'lead' | 'passkeyLead' | 'code' | 'hint' | 'wrong' | 'submit' | 'back' | 'lost', string>
>;

/** Loaded with the second step of a login. */
export const SECOND_STEP_TEXTS: Readonly<Record<Language, SecondStepTexts>> = {
  en: {
    title: 'Two-factor login',
    lead: 'Enter the code that your authenticator app shows.',
    passkeyLead: 'Use your passkey, or enter a code.',
    code: 'Code',
    hint: 'Six digits of your app, or one of your recovery codes.',
    wrong: 'This code is wrong, expired or already used. Wait for the next one.',
    submit: 'Log in',
    back: 'Back to the password',
    lost: 'No app, passkey or recovery codes? Ask the operator of this service.',
  },
  de: {
    title: 'Zwei-Faktor-Anmeldung',
    lead: 'Geben Sie den Code ein, den Ihre Authenticator-App anzeigt.',
    passkeyLead: 'Verwenden Sie Ihren Passkey, oder geben Sie einen Code ein.',
    code: 'Code',
    hint: 'Sechs Ziffern Ihrer App oder einer Ihrer Wiederherstellungscodes.',
    wrong: 'Dieser Code ist falsch, abgelaufen oder schon benutzt. Warten Sie auf den nächsten.',
    submit: 'Anmelden',
    back: 'Zurück zum Passwort',
    lost: 'Weder App noch Passkey noch Wiederherstellungscodes? Wenden Sie sich an den Betreiber dieses Dienstes.',
  },
};
