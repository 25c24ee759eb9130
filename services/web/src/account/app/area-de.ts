import type { AreaTexts } from './area-en.ts';

/** What stands around every screen of the account area, in German. */
export const areaDe: AreaTexts = {
  title: 'Paywatch',
  nav: {
    label: 'Konto',
    start: 'Erste Schritte',
    overview: 'Übersicht',
    invoices: 'Rechnungen',
    donations: 'Spenden',
    wallets: 'Wallets',
    webhooks: 'Webhooks',
    keys: 'API-Schlüssel',
    account: 'Konto',
    docs: 'API-Referenz',
    logout: 'Abmelden',
    menu: 'Menü',
    skip: 'Zum Inhalt springen',
  },
  common: {
    loading: 'Wird geladen …',
    retry: 'Noch einmal versuchen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    save: 'Speichern',
    saved: 'Gespeichert',
    cancel: 'Abbrechen',
    more: 'Mehr laden',
    next: 'Nächster Schritt',
    open: 'Öffnen',
    any: 'Alle',
    optional: 'freiwillig',
    request: (id) => `Anfrage ${id}`,
    shownOnce:
      'Das wird nur einmal gezeigt. Bewahren Sie es jetzt sicher auf: Es kann hier nicht mehr gelesen werden.',
    notFound: {
      title: 'Hier ist nichts',
      detail: 'Vielleicht ist die Adresse vertippt.',
      link: 'Zur Übersicht',
    },
  },
  problems: {
    unreachable: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihr Netz und versuchen Sie es noch einmal.',
    unauthorized: 'Ihre Sitzung ist beendet. Melden Sie sich neu an.',
    invalid_credentials: 'E-Mail-Adresse oder Passwort ist falsch.',
    rate_limited: (seconds) => `Zu viele Versuche. Versuchen Sie es in ${waitDe(seconds)} noch einmal.`,
    service_unavailable: 'Der Dienst ist ausgelastet. Versuchen Sie es gleich noch einmal.',
    address_pool_busy: (seconds) =>
      `Keine Empfangsadresse ist frei. Versuchen Sie es in ${waitDe(seconds)} noch einmal.`,
    subscription_inactive: 'Rechnungen zu erstellen braucht ein laufendes Abonnement.',
    wallet_not_verified: 'Für diese Währung gibt es noch keine geprüfte Wallet.',
    address_mismatch: (said) =>
      `Diese Adresse gehört nicht zu der eingetragenen Wallet. Der Server sagt dazu: ${said}`,
    wallet_not_found: 'Registrieren Sie zuerst eine Wallet dieser Währung.',
    webhook_not_configured: 'Setzen Sie zuerst einen Endpunkt.',
    webhook_disabled: 'Der Endpunkt antwortete 410 und wurde abgeschaltet. Setzen Sie ihn neu.',
    already_extended: 'Diese Rechnung wurde schon verlängert; das geht einmal.',
    invoice_not_extendable: 'Nur neue und ausstehende Rechnungen können verlängert werden.',
    validation_error: 'Bitte prüfen Sie, was markiert ist.',
  },
  fault: (field, said) => FAULTS[field] ?? said,
  subscription: {
    heading: 'Abonnement',
    active: (date) => `Läuft bis ${date}.`,
    activeForever: 'Läuft.',
    ending: (date) =>
      `Ihr Abonnement endet am ${date}. Danach können keine neuen Rechnungen erstellt werden.`,
    inactive:
      'Ihr Abonnement läuft nicht: Neue Rechnungen und Spenden sind nicht möglich. Bestehende werden bis zum Ende beobachtet. Bitten Sie den Betreiber dieses Dienstes, es zu erneuern.',
  },
};

/** By field of a request. The API says in English what exactly is wrong; here stands what is right. */
const FAULTS: Readonly<Partial<Record<string, string>>> = {
  email: 'Schreiben Sie eine E-Mail-Adresse, etwa sie@example.com.',
  password: 'Verwenden Sie 8 bis 200 Zeichen.',
  new_password: 'Verwenden Sie 8 bis 200 Zeichen.',
  name: 'Verwenden Sie 1 bis 100 Zeichen.',
  xpub: 'Das ist kein erweiterter öffentlicher Schlüssel für diese Währung. Geben Sie nie einen privaten Schlüssel ein.',
  script_type: 'Diese Adressart passt nicht zum Schlüssel.',
  derivation_path: "Schreiben Sie den Pfad wie m/84'/0'/0'.",
  gap_limit: 'Schreiben Sie eine ganze Zahl von 1 bis 100000.',
  address: 'Das ist keine Adresse dieser Währung.',
  url: 'Die Adresse muss mit https:// beginnen und aus dem Internet erreichbar sein.',
  expected_amount: 'Schreiben Sie einen Betrag über 0.',
  order_id: 'Verwenden Sie höchstens 200 Zeichen.',
  ttl_seconds: 'Schreiben Sie 1 bis 1440 Minuten.',
  return_url: 'Die Adresse muss mit https:// beginnen.',
};

function waitDe(seconds: number): string {
  return seconds < 120 ? `${seconds} Sekunden` : `${Math.ceil(seconds / 60)} Minuten`;
}
