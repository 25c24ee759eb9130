import type { FactorView } from '@paywatch/domain/contract';
import type { Language } from '../../../../ui/language.ts';

type SecondFactorsTexts = Readonly<
  Record<
    | 'heading'
    | 'off'
    | 'on'
    | 'add'
    | 'addPasskey'
    | 'passkeyName'
    | 'passkeyNameHint'
    | 'createPasskey'
    | 'passkeyNone'
    | 'passkeyExists'
    | 'rename'
    | 'newName'
    | 'removePasskeyDetail'
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
  readonly kinds: Readonly<Record<FactorView['kind'], string>>;
  readonly renameTitle: (name: string) => string;
  readonly removeAsk: (name: string) => string;
  readonly codesLeft: (count: number) => string;
};

/** Loaded with the panel. */
export const SECOND_FACTORS_TEXTS: Readonly<Record<Language, SecondFactorsTexts>> = {
  en: {
    heading: 'Two-factor login',
    off: 'Off. With a passkey or an authenticator app, nobody can log in or change your wallets with your password alone.',
    on: 'On. A login with your password also needs one of these.',
    add: 'Add authenticator app',
    addPasskey: 'Add passkey',
    passkeyName: 'Name of the device or password manager',
    passkeyNameHint: 'For example “My laptop”. A passkey uses its fingerprint, face or PIN.',
    createPasskey: 'Create passkey',
    passkeyNone: 'No passkey was created. Try again.',
    passkeyExists: 'This device already has a passkey for your account. Use another device.',
    rename: 'Rename',
    renameTitle: (name) => `Rename ${name}`,
    newName: 'New name',
    kinds: { totp: 'app', passkey: 'passkey' },
    removePasskeyDetail:
      'It can no longer log in. After the last app or passkey, a login needs your password only. Delete it on your device, too.',
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
    added: 'Added.',
    codesHeading: 'Recovery codes',
    codesLead: 'Each code works once in place of an app or passkey. Keep them away from your devices.',
    codes: 'Codes',
    codesKept: 'I have kept the codes',
    neverUsed: 'never used',
    lastUsed: 'last used',
    remove: 'Remove',
    removeAsk: (name) => `Remove ${name}?`,
    removeDetail: 'Its codes stop working. After the last app or passkey, a login needs your password only.',
    replace: 'Replace recovery codes',
    replaceAsk: 'Replace the recovery codes?',
    replaceDetail: 'The old codes stop working.',
    codesLeft: (count) => `${count} recovery ${count === 1 ? 'code' : 'codes'} left.`,
  },
  de: {
    heading: 'Zwei-Faktor-Anmeldung',
    off: 'Aus. Mit einem Passkey oder einer Authenticator-App kann sich niemand allein mit Ihrem Passwort anmelden oder Ihre Wallets ändern.',
    on: 'An. Zur Anmeldung mit dem Passwort ist auch einer dieser Faktoren nötig.',
    add: 'Authenticator-App hinzufügen',
    addPasskey: 'Passkey hinzufügen',
    passkeyName: 'Name des Geräts oder Passwortmanagers',
    passkeyNameHint: 'Zum Beispiel „Mein Laptop“. Ein Passkey nutzt Fingerabdruck, Gesicht oder PIN.',
    createPasskey: 'Passkey erstellen',
    passkeyNone: 'Es wurde kein Passkey erstellt. Versuchen Sie es noch einmal.',
    passkeyExists: 'Dieses Gerät hat schon einen Passkey für Ihr Konto. Verwenden Sie ein anderes Gerät.',
    rename: 'Umbenennen',
    renameTitle: (name) => `${name} umbenennen`,
    newName: 'Neuer Name',
    kinds: { totp: 'App', passkey: 'Passkey' },
    removePasskeyDetail:
      'Er kann sich nicht mehr anmelden. Nach der letzten App und dem letzten Passkey genügt Ihr Passwort zur Anmeldung. Löschen Sie ihn auch auf Ihrem Gerät.',
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
    added: 'Hinzugefügt.',
    codesHeading: 'Wiederherstellungscodes',
    codesLead:
      'Jeder Code ersetzt einmal eine App oder einen Passkey. Bewahren Sie die Codes getrennt von Ihren Geräten auf.',
    codes: 'Codes',
    codesKept: 'Ich habe die Codes aufbewahrt',
    neverUsed: 'nie benutzt',
    lastUsed: 'zuletzt benutzt',
    remove: 'Entfernen',
    removeAsk: (name) => `${name} entfernen?`,
    removeDetail:
      'Ihre Codes funktionieren nicht mehr. Nach der letzten App und dem letzten Passkey genügt Ihr Passwort zur Anmeldung.',
    replace: 'Wiederherstellungscodes ersetzen',
    replaceAsk: 'Wiederherstellungscodes ersetzen?',
    replaceDetail: 'Die alten Codes funktionieren nicht mehr.',
    codesLeft: (count) =>
      `Noch ${count} ${count === 1 ? 'Wiederherstellungscode' : 'Wiederherstellungscodes'}.`,
  },
};
