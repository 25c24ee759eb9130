import { waitTimeDe } from '../../ui/wait-time.ts';
import type { AreaTexts } from './area-en.ts';

/** German texts around every screen of the account area. */
export const areaDe: AreaTexts = {
  title: 'Paywatch',
  nav: {
    label: 'Kontobereich',
    start: 'Erste Schritte',
    overview: 'Übersicht',
    invoices: 'Rechnungen',
    links: 'Bezahllinks',
    donations: 'Spenden',
    wallets: 'Wallets',
    webhooks: 'Webhooks',
    keys: 'API-Schlüssel',
    members: 'Mitglieder',
    account: 'Konto',
    operator: 'Betrieb',
    unnamed: 'Projekt ohne Namen',
    docs: 'API-Referenz',
    logout: 'Abmelden',
    menu: 'Menü',
    skip: 'Zum Inhalt springen',
  },
  common: {
    loading: 'Wird geladen …',
    retry: 'Erneut versuchen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    save: 'Speichern',
    saved: 'Gespeichert',
    cancel: 'Abbrechen',
    more: 'Mehr laden',
    next: 'Nächster Schritt',
    open: 'Öffnen',
    any: 'Alle',
    optional: 'optional',
    request: (id) => `Anfrage-ID: ${id}`,
    shownOnce: 'Kopieren Sie das jetzt. Es wird nicht noch einmal angezeigt.',
    notFound: {
      title: 'Seite nicht gefunden',
      detail: 'Prüfen Sie die Adresse auf Tippfehler.',
      link: 'Zur Übersicht',
    },
  },
  problems: {
    unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    unauthorized: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
    invalid_credentials: 'E-Mail-Adresse oder Passwort ist falsch.',
    rate_limited: (seconds) => `Zu viele Versuche. Versuchen Sie es in ${waitTimeDe(seconds)} erneut.`,
    service_unavailable: 'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
    address_pool_busy: (seconds) =>
      `Keine Empfangsadresse verfügbar. Versuchen Sie es in ${waitTimeDe(seconds)} erneut.`,
    subscription_inactive: 'Um Rechnungen zu erstellen, benötigen Sie ein aktives Abonnement.',
    wallet_not_verified: 'Verifizieren Sie zuerst eine Wallet für diese Währung.',
    address_mismatch: (detail) =>
      `Diese Adresse gehört nicht zur hinterlegten Wallet. Meldung des Servers: ${detail}`,
    wallet_not_found: 'Fügen Sie zuerst eine Wallet für diese Währung hinzu.',
    webhook_not_configured: 'Legen Sie zuerst einen Endpunkt fest.',
    webhook_disabled:
      'Der Endpunkt hat mit 410 Gone geantwortet und wurde deaktiviert. Legen Sie ihn erneut fest, um die Zustellung fortzusetzen.',
    already_extended: 'Diese Rechnung wurde bereits verlängert. Jede Rechnung kann einmal verlängert werden.',
    invoice_not_extendable: 'Nur neue und ausstehende Rechnungen können verlängert werden.',
    validation_error: 'Korrigieren Sie die markierten Felder.',
    reauthentication_required:
      'Für diese Änderung ist ein Code aus Ihrer Authenticator-App oder ein Passkey nötig. Versuchen Sie es noch einmal.',
    password_required: 'Für diese Änderung ist Ihr Passwort nötig. Versuchen Sie es noch einmal.',
    challenge_expired: 'Diese Anmeldung ist abgelaufen. Beginnen Sie wieder mit Ihrem Passwort.',
    too_many_factors:
      'Mehr als fünf Apps und Passkeys sind nicht möglich. Entfernen Sie zuerst einen Eintrag.',
    link_expired:
      'Dieser Link ist unbekannt, abgelaufen oder wurde schon verwendet. Fordern Sie einen neuen an.',
    forbidden:
      'Ihre Rolle in diesem Projekt erlaubt das nicht. Laden Sie die Seite neu, wenn sich Ihre Rolle geändert hat.',
    email_taken: 'Inzwischen hat ein anderes Konto diese E-Mail-Adresse. Die Änderung ist nicht möglich.',
    mail_not_configured:
      'Dieser Dienst sendet keine E-Mails. Bitten Sie den Betreiber, Ihr Passwort zurückzusetzen.',
  },
  fieldError: (field, detail) => FIELD_ERRORS[field] ?? detail,
  subscription: {
    heading: 'Abonnement',
    active: (date) => `Aktiv bis ${date}.`,
    activeForever: 'Aktiv.',
    ending: (date) => `Ihr Abonnement endet am ${date}. Danach können Sie keine neuen Rechnungen erstellen.`,
    inactive:
      'Ihr Abonnement ist nicht aktiv. Sie können keine Rechnungen erstellen und keine Spenden annehmen. Bestehende Rechnungen werden bis zu ihrem Ende weiter verfolgt. Bitten Sie den Betreiber dieses Dienstes, das Abonnement zu erneuern.',
  },
};

/** By field of the request body: what the field accepts. The API describes the error in English only. */
const FIELD_ERRORS: Readonly<Partial<Record<string, string>>> = {
  email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  new_email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com.',
  password: 'Verwenden Sie 8 bis 200 Zeichen.',
  new_password: 'Verwenden Sie 8 bis 200 Zeichen.',
  name: 'Verwenden Sie 1 bis 100 Zeichen.',
  xpub: 'Das ist kein erweiterter öffentlicher Schlüssel für diese Währung. Geben Sie niemals einen privaten Schlüssel ein.',
  script_type: 'Diese Adressart passt nicht zum Schlüssel.',
  derivation_path: "Geben Sie den Pfad in dieser Form ein: m/84'/0'/0'.",
  gap_limit: 'Geben Sie eine ganze Zahl von 1 bis 100000 ein.',
  address: 'Das ist keine Adresse dieser Währung.',
  url: 'Die URL muss mit https:// beginnen und aus dem Internet erreichbar sein.',
  expected_amount: 'Geben Sie einen Betrag über 0 ein.',
  order_id: 'Verwenden Sie höchstens 200 Zeichen.',
  ttl_seconds: 'Geben Sie 1 bis 1440 Minuten ein.',
  scopes: 'Wählen Sie mindestens eine Berechtigung.',
  expires_at: 'Wählen Sie einen Tag in der Zukunft.',
  allowed_addresses:
    'Geben Sie IP-Adressen oder CIDR-Bereiche ein, zum Beispiel 203.0.113.7 oder 2001:db8::/48.',
  return_url: 'Die URL muss mit https:// beginnen.',
};
