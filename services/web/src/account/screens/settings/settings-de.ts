import type { SettingsTexts } from './settings-en.ts';

/** What stands on the settings of the account, in German. */
export const settingsDe: SettingsTexts = {
  heading: 'Konto',
  email: 'E-Mail-Adresse',
  since: 'Seit',
  project: 'Name des Projekts',
  projectHint: 'Zahlende und Spendende sehen ihn.',
  invisible: 'Davon wäre nichts zu sehen. Schreiben Sie Buchstaben, Ziffern oder Emojis.',
  password: 'Passwort ändern',
  current: 'Aktuelles Passwort',
  new: 'Neues Passwort',
  change: 'Passwort ändern',
  changeHint: 'Alle Sitzungen enden, auch diese. API-Schlüssel bleiben gültig.',
  sessions: 'Sitzungen',
  logoutAll: 'Überall abmelden',
  logoutAllAsk: 'Auf allen Geräten abmelden?',
  logoutAllDetail: 'Alle Sitzungen dieses Kontos enden, auch diese. API-Schlüssel bleiben gültig.',
};
