import type { Language } from '../../../../ui/language.ts';

const en = {
  heading: 'Your data',
  detail:
    'Download everything that your account and project have as one JSON file: settings, wallets with their extended public keys, API keys and endpoints without secrets, links, uploads, sessions and purchases.',
  warning:
    'Keep the file private: it contains the links of your pages, and whoever has your extended public keys sees all your payments.',
  download: 'Download account data',
  files: 'The files of what you sold:',
  invoices: 'Invoices',
  payments: 'Payments',
  events: 'Events',
  audit: 'Audit log',
};

const de: typeof en = {
  heading: 'Ihre Daten',
  detail:
    'Laden Sie alles, was Ihr Konto und Ihr Projekt haben, als eine JSON-Datei herunter: Einstellungen, Wallets mit ihren erweiterten öffentlichen Schlüsseln, API-Schlüssel und Endpunkte ohne Geheimnisse, Links, Dateien, Sitzungen und Käufe.',
  warning:
    'Halten Sie die Datei geheim: Sie enthält die Links Ihrer Seiten, und wer Ihre erweiterten öffentlichen Schlüssel hat, sieht alle Ihre Zahlungen.',
  download: 'Kontodaten herunterladen',
  files: 'Die Dateien Ihrer Verkäufe:',
  invoices: 'Rechnungen',
  payments: 'Zahlungen',
  events: 'Ereignisse',
  audit: 'Änderungsprotokoll',
};

/** Texts about taking one's data along. */
export const LEAVING_TEXTS: Record<Language, typeof en> = { en, de };
