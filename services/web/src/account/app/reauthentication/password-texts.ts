import type { Language } from '../../../ui/language.ts';

type PasswordTexts = Readonly<Record<'title' | 'lead' | 'password' | 'wrong' | 'submit', string>>;

/** Loaded with the dialog. */
export const PASSWORD_TEXTS: Readonly<Record<Language, PasswordTexts>> = {
  en: {
    title: 'Confirm that it is you',
    lead: 'This change needs your password. Further changes are then allowed for ten minutes.',
    password: 'Current password',
    wrong: 'The password is wrong.',
    submit: 'Confirm',
  },
  de: {
    title: 'Bestätigen Sie, dass Sie es sind',
    lead: 'Für diese Änderung ist Ihr Passwort nötig. Danach sind zehn Minuten lang Änderungen möglich.',
    password: 'Aktuelles Passwort',
    wrong: 'Das Passwort ist falsch.',
    submit: 'Bestätigen',
  },
};
