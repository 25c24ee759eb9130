import type { SettingsTexts } from './settings-en.ts';

/** German texts of the account settings. */
export const settingsDe: SettingsTexts = {
  heading: 'Konto',
  email: 'E-Mail-Adresse',
  since: 'Erstellt',
  mailOff:
    'Dieser Dienst sendet keine E-Mails. Um Ihr Passwort zurückzusetzen oder Ihre E-Mail-Adresse zu ändern, wenden Sie sich an den Betreiber.',
  unverified:
    'Diese Adresse ist nicht bestätigt. Öffnen Sie den Link in der E-Mail, die Sie erhalten haben, oder lassen Sie einen neuen senden.',
  resend: 'Neuen Link senden',
  resent: 'Ein Link ist unterwegs. Er funktioniert einmal, 30 Minuten lang.',
  newEmail: 'Neue E-Mail-Adresse',
  newEmailHint: 'Beide Adressen erhalten einen Link, um die Änderung zu bestätigen.',
  changeEmail: 'E-Mail-Adresse ändern',
  emailPending: (email) =>
    `Die Änderung zu ${email} ist noch nicht bestätigt. Öffnen Sie die Links in Ihren E-Mails.`,
  project: 'Projektname',
  projectHint: 'Zahlende und Spendende sehen diesen Namen.',
  invisible: 'Dieser Name wäre unsichtbar. Verwenden Sie Buchstaben, Ziffern oder Emojis.',
  fiat: 'Ihre Währung',
  fiatDetail:
    'Einnahmen werden auch in dieser Währung angezeigt, zum Wechselkurs bei der Bestätigung der Rechnung.',
  fiatHint: 'Eine Änderung gilt für Rechnungen, die danach bestätigt werden.',
  fiatNone: 'Keine, nur Coins',
  margins: 'Preise in anderen Währungen',
  marginsDetail:
    'Für Rechnungen mit einem Preis, etwa 19,99 EUR. Ein Aufschlag deckt das Risiko, dass der Wechselkurs vor der Zahlung fällt.',
  margin: 'Aufschlag (%)',
  longMargin: 'Aufschlag bei Rechnungen über eine Stunde (%)',
  longMarginHint: 'Leer lassen, um solche Rechnungen nicht zu erlauben.',
  malformedMargin: (most) =>
    `Geben Sie einen Prozentsatz von 0 bis ${most} mit höchstens zwei Nachkommastellen ein.`,
  password: 'Passwort ändern',
  current: 'Aktuelles Passwort',
  wrongPassword: 'Das aktuelle Passwort ist falsch.',
  new: 'Neues Passwort',
  change: 'Passwort ändern',
  changeHint: 'Alle Sitzungen werden beendet, auch diese. API-Schlüssel bleiben gültig.',
  audit: 'Änderungsprotokoll',
  auditDetail: 'Wer an diesem Konto was geändert hat, und von welcher Adresse.',
  auditLink: 'Änderungsprotokoll öffnen',
};
