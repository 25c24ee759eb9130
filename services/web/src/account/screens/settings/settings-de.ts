import type { SettingsTexts } from './settings-en.ts';

/** German texts of the account settings. */
export const settingsDe: SettingsTexts = {
  heading: 'Konto',
  email: 'E-Mail-Adresse',
  since: 'Erstellt',
  project: 'Projektname',
  projectHint: 'Zahlende und Spendende sehen diesen Namen.',
  invisible: 'Dieser Name wäre unsichtbar. Verwenden Sie Buchstaben, Ziffern oder Emojis.',
  password: 'Passwort ändern',
  current: 'Aktuelles Passwort',
  wrongPassword: 'Das aktuelle Passwort ist falsch.',
  new: 'Neues Passwort',
  change: 'Passwort ändern',
  changeHint: 'Alle Sitzungen werden beendet, auch diese. API-Schlüssel bleiben gültig.',
  sessions: 'Sitzungen',
  logoutAll: 'Überall abmelden',
  logoutAllAsk: 'Auf allen Geräten abmelden?',
  logoutAllDetail: 'Alle Sitzungen dieses Kontos werden beendet, auch diese. API-Schlüssel bleiben gültig.',
};
