import type { Language } from '../../../../ui/language.ts';

const en = {
  heading: 'Your data',
  detail:
    'Download everything that your account and this project have as one JSON file: settings, wallets with their extended public keys, API keys and endpoints without secrets, links, uploads, sessions and purchases.',
  warning:
    'Keep the file private: it contains the links of your pages, and whoever has your extended public keys sees all your payments.',
  download: 'Download account data',
  files: 'The files of what you sold:',
  invoices: 'Invoices',
  payments: 'Payments',
  events: 'Events',
  audit: 'Audit log',
  delete: 'Delete account',
  deleteDetail:
    'Your sessions, API keys, endpoints, payment links, donation page and overlay stop working at once, and members of the projects that you created lose access. This cannot be undone. Open invoices are watched until they are decided, but send no webhooks; payments still go straight to your own wallet. Download your data first.',
  deleteKept:
    'Names and messages of donors are removed after 30 days. Records that are needed for bookkeeping are removed after 400 days. You can register again with the same email, as a new account.',
  deleteEmail: 'Type the email of this account',
  otherEmail: 'This is not the email of this account.',
  deleteNow: 'Delete account for good',
};

const de: typeof en = {
  heading: 'Ihre Daten',
  detail:
    'Laden Sie alles, was Ihr Konto und dieses Projekt enthalten, als eine JSON-Datei herunter: Einstellungen, Wallets mit ihren erweiterten öffentlichen Schlüsseln, API-Schlüssel und Endpunkte ohne Geheimnisse, Links, Dateien, Sitzungen und Käufe.',
  warning:
    'Halten Sie die Datei geheim: Sie enthält die Links Ihrer Seiten, und wer Ihre erweiterten öffentlichen Schlüssel hat, sieht alle Ihre Zahlungen.',
  download: 'Kontodaten herunterladen',
  files: 'Die Dateien Ihrer Verkäufe:',
  invoices: 'Rechnungen',
  payments: 'Zahlungen',
  events: 'Ereignisse',
  audit: 'Änderungsprotokoll',
  delete: 'Konto löschen',
  deleteDetail:
    'Ihre Sitzungen, API-Schlüssel, Endpunkte, Bezahllinks, Spendenseite und Ihr Overlay funktionieren sofort nicht mehr, und Mitglieder der Projekte, die Sie erstellt haben, verlieren den Zugang. Das lässt sich nicht rückgängig machen. Offene Rechnungen werden beobachtet, bis sie entschieden sind, senden aber keine Webhooks; Zahlungen gehen weiterhin direkt an Ihre eigene Wallet. Laden Sie vorher Ihre Daten herunter.',
  deleteKept:
    'Namen und Nachrichten von Spendenden werden nach 30 Tagen entfernt. Was für die Buchhaltung nötig ist, wird nach 400 Tagen entfernt. Mit derselben E-Mail-Adresse können Sie ein neues Konto erstellen.',
  deleteEmail: 'Geben Sie die E-Mail-Adresse dieses Kontos ein',
  otherEmail: 'Das ist nicht die E-Mail-Adresse dieses Kontos.',
  deleteNow: 'Konto endgültig löschen',
};

/** Texts for exporting the data and deleting the account. */
export const LEAVING_TEXTS: Record<Language, typeof en> = { en, de };
