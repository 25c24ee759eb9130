import type { Language } from '../../../../ui/language.ts';

type SessionsTexts = Readonly<
  Record<
    | 'heading'
    | 'lead'
    | 'current'
    | 'unknownDevice'
    | 'lastUsed'
    | 'end'
    | 'endDetail'
    | 'endOthers'
    | 'endOthersAsk'
    | 'endOthersDetail'
    | 'logoutAll'
    | 'logoutAllAsk'
    | 'logoutAllDetail',
    string
  >
> & {
  readonly endAsk: (device: string) => string;
};

/** Loaded with the panel. */
export const SESSIONS_TEXTS: Readonly<Record<Language, SessionsTexts>> = {
  en: {
    heading: 'Sessions',
    lead: 'Where this account is logged in. If you do not recognize a session, log it out and change your password.',
    current: 'This session',
    unknownDevice: 'Unknown device',
    lastUsed: 'last used',
    end: 'Log out',
    endAsk: (device) => `Log out ${device}?`,
    endDetail: 'This session ends. To log in again, it needs your password.',
    endOthers: 'Log out all others',
    endOthersAsk: 'Log out all other sessions?',
    endOthersDetail: 'Only this session stays logged in. API keys stay valid.',
    logoutAll: 'Log out everywhere',
    logoutAllAsk: 'Log out on all devices?',
    logoutAllDetail: 'This ends all sessions of this account, including this one. API keys stay valid.',
  },
  de: {
    heading: 'Sitzungen',
    lead: 'Wo dieses Konto angemeldet ist. Wenn Sie eine Sitzung nicht erkennen, melden Sie sie ab und ändern Sie Ihr Passwort.',
    current: 'Diese Sitzung',
    unknownDevice: 'Unbekanntes Gerät',
    lastUsed: 'zuletzt benutzt',
    end: 'Abmelden',
    endAsk: (device) => `${device} abmelden?`,
    endDetail: 'Diese Sitzung wird beendet. Für eine neue Anmeldung ist Ihr Passwort nötig.',
    endOthers: 'Alle anderen abmelden',
    endOthersAsk: 'Alle anderen Sitzungen abmelden?',
    endOthersDetail: 'Nur diese Sitzung bleibt angemeldet. API-Schlüssel bleiben gültig.',
    logoutAll: 'Überall abmelden',
    logoutAllAsk: 'Auf allen Geräten abmelden?',
    logoutAllDetail: 'Alle Sitzungen dieses Kontos werden beendet, auch diese. API-Schlüssel bleiben gültig.',
  },
};
