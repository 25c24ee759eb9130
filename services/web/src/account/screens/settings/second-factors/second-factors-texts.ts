import type { Language } from '../../../../ui/language.ts';

type SecondFactorsTexts = Readonly<
  Record<
    | 'heading'
    | 'off'
    | 'on'
    | 'add'
    | 'name'
    | 'nameHint'
    | 'password'
    | 'wrongPassword'
    | 'next'
    | 'scan'
    | 'qr'
    | 'secret'
    | 'code'
    | 'codeHint'
    | 'wrongCode'
    | 'confirm'
    | 'added'
    | 'codesHeading'
    | 'codesLead'
    | 'codes'
    | 'codesKept'
    | 'neverUsed'
    | 'remove'
    | 'removeDetail'
    | 'replace'
    | 'replaceAsk'
    | 'replaceDetail',
    string
  >
> & {
  readonly lastUsed: string;
  readonly removeAsk: (name: string) => string;
  readonly codesLeft: (count: number) => string;
};

/** Loaded with the panel. */
export const SECOND_FACTORS_TEXTS: Readonly<Record<Language, SecondFactorsTexts>> = {
  en: {
    heading: 'Two-factor login',
    off: 'Off. With an authenticator app, nobody can log in or change your wallets with your password alone.',
    on: 'On. A login needs a code of one of these apps.',
    add: 'Add authenticator app',
    name: 'Name of the app or device',
    nameHint: 'For example “My phone”.',
    password: 'Current password',
    wrongPassword: 'The current password is wrong.',
    next: 'Next',
    scan: 'Scan this code with your authenticator app, or type the key into it.',
    qr: 'QR code for the authenticator app',
    secret: 'Key',
    code: 'Code of the app',
    codeHint: 'The six digits that the app shows now.',
    wrongCode: 'This code is wrong or expired. Check the clock of your device.',
    confirm: 'Turn on',
    added: 'The app was added.',
    codesHeading: 'Recovery codes',
    codesLead: 'Each code works once in place of the app. Keep them where your phone is not.',
    codes: 'Codes',
    codesKept: 'I have kept the codes',
    neverUsed: 'never used',
    lastUsed: 'last used',
    remove: 'Remove',
    removeAsk: (name) => `Remove ${name}?`,
    removeDetail: 'Its codes stop working. After the last app, a login needs your password only.',
    replace: 'Replace recovery codes',
    replaceAsk: 'Replace the recovery codes?',
    replaceDetail: 'The old codes stop working.',
    codesLeft: (count) => `${count} recovery ${count === 1 ? 'code' : 'codes'} left.`,
  },
  de: {
    heading: 'Zwei-Faktor-Anmeldung',
    off: 'Aus. Mit einer Authenticator-App kann sich niemand allein mit Ihrem Passwort anmelden oder Ihre Wallets ändern.',
    on: 'An. Zur Anmeldung ist ein Code einer dieser Apps nötig.',
    add: 'Authenticator-App hinzufügen',
    name: 'Name der App oder des Geräts',
    nameHint: 'Zum Beispiel „Mein Telefon“.',
    password: 'Aktuelles Passwort',
    wrongPassword: 'Das aktuelle Passwort ist falsch.',
    next: 'Weiter',
    scan: 'Scannen Sie diesen Code mit Ihrer Authenticator-App, oder geben Sie den Schlüssel dort ein.',
    qr: 'QR-Code für die Authenticator-App',
    secret: 'Schlüssel',
    code: 'Code der App',
    codeHint: 'Die sechs Ziffern, die die App jetzt anzeigt.',
    wrongCode: 'Dieser Code ist falsch oder abgelaufen. Prüfen Sie die Uhr Ihres Geräts.',
    confirm: 'Einschalten',
    added: 'Die App wurde hinzugefügt.',
    codesHeading: 'Wiederherstellungscodes',
    codesLead: 'Jeder Code ersetzt einmal die App. Bewahren Sie sie getrennt von Ihrem Telefon auf.',
    codes: 'Codes',
    codesKept: 'Ich habe die Codes aufbewahrt',
    neverUsed: 'nie benutzt',
    lastUsed: 'zuletzt benutzt',
    remove: 'Entfernen',
    removeAsk: (name) => `${name} entfernen?`,
    removeDetail:
      'Ihre Codes funktionieren nicht mehr. Nach der letzten App genügt Ihr Passwort zur Anmeldung.',
    replace: 'Wiederherstellungscodes ersetzen',
    replaceAsk: 'Wiederherstellungscodes ersetzen?',
    replaceDetail: 'Die alten Codes funktionieren nicht mehr.',
    codesLeft: (count) =>
      `Noch ${count} ${count === 1 ? 'Wiederherstellungscode' : 'Wiederherstellungscodes'}.`,
  },
};
