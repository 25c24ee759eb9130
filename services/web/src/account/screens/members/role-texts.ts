import type { ProjectRole } from '@paywatch/domain/roles';
import type { Language } from '../../../ui/language.ts';

type RoleText = { readonly name: string; readonly detail: string };

/** The name of each role, and in one sentence what it may do. */
export const ROLE_TEXTS: Readonly<Record<Language, Readonly<Record<ProjectRole, RoleText>>>> = {
  en: {
    owner: {
      name: 'Owner',
      detail: 'Can do everything that you can: wallets, API keys, members, and the audit log.',
    },
    manager: {
      name: 'Manager',
      detail:
        'Runs the shop: invoices, payment links, donations, webhooks, and settings. No wallets or API keys.',
    },
    accountant: {
      name: 'Accountant',
      detail: 'Sees statistics, wallets and all payments, and downloads them. Changes nothing.',
    },
    support: { name: 'Support', detail: 'Sees invoices, donations and events. Changes nothing.' },
  },
  de: {
    owner: {
      name: 'Inhaber',
      detail: 'Darf alles, was Sie dürfen: Wallets, API-Schlüssel, Mitglieder und Änderungsprotokoll.',
    },
    manager: {
      name: 'Manager',
      detail:
        'Führt den Shop: Rechnungen, Bezahllinks, Spenden, Webhooks und Einstellungen. Keine Wallets oder API-Schlüssel.',
    },
    accountant: {
      name: 'Buchhaltung',
      detail: 'Sieht Statistik, Wallets und alle Zahlungen und lädt sie herunter. Ändert nichts.',
    },
    support: { name: 'Support', detail: 'Sieht Rechnungen, Spenden und Ereignisse. Ändert nichts.' },
  },
};
