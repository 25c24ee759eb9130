import type { LoginTexts } from './login-en.ts';

/** What stands on the login and the registration, in German. */
export const loginDe: LoginTexts = {
  login: 'Anmelden',
  register: 'Konto erstellen',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  passwordHint: (least) => `Mindestens ${least} Zeichen.`,
  toRegister: 'Noch kein Konto? Eines erstellen',
  toLogin: 'Sie haben ein Konto? Anmelden',
  ended: 'Ihre Sitzung ist beendet. Melden Sie sich neu an.',
  passwordChanged:
    'Das Passwort ist geändert, alle Sitzungen sind beendet. Melden Sie sich mit dem neuen an.',
  loggedOutEverywhere: 'Sie sind auf allen Geräten abgemeldet.',
  exists:
    'Vielleicht gibt es mit dieser E-Mail-Adresse schon ein Konto. Melden Sie sich mit dessen Passwort an.',
  lead: 'Nehmen Sie Bitcoin und Litecoin direkt in Ihre eigene Wallet ein.',
  tabSession: 'Die Sitzung bleibt in diesem Tab und dauert 7 Tage.',
};
