import type { LoginTexts } from './login-en.ts';

/** German texts of login and registration. */
export const loginDe: LoginTexts = {
  login: 'Anmelden',
  register: 'Konto erstellen',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  passwordHint: (minimum) => `Mindestens ${minimum} Zeichen.`,
  toRegister: 'Noch kein Konto? Konto erstellen',
  toLogin: 'Bereits registriert? Anmelden',
  forgot: 'Passwort vergessen?',
  ended: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
  passwordChanged:
    'Ihr Passwort wurde geändert und alle Sitzungen wurden beendet. Melden Sie sich mit dem neuen Passwort an.',
  loggedOutEverywhere: 'Sie sind auf allen Geräten abgemeldet.',
  accountDeleted: 'Ihr Konto wurde gelöscht.',
  exists:
    'Möglicherweise gibt es bereits ein Konto mit dieser E-Mail-Adresse. Melden Sie sich mit dessen Passwort an.',
  lead: 'Nehmen Sie Bitcoin und Litecoin direkt in Ihrer eigenen Wallet an.',
  staysLoggedIn:
    'Sie bleiben in diesem Browser bis zu 7 Tage angemeldet. An fremden Computern melden Sie sich ab.',
};
