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
        'Can run the shop: invoices, payment links, donations, webhooks and settings. No access to API keys or changes of wallets.',
    },
    accountant: {
      name: 'Accountant',
      detail: 'Can view statistics and wallets, and view and download all payments. Cannot change anything.',
    },
    support: { name: 'Support', detail: 'Can view invoices, donations and events. Cannot change anything.' },
  },
  de: {
    owner: {
      name: 'Inhaber',
      detail: 'Darf alles, was Sie dürfen: Wallets, API-Schlüssel, Mitglieder und Änderungsprotokoll.',
    },
    manager: {
      name: 'Manager',
      detail:
        'Betreibt den Shop: Rechnungen, Bezahllinks, Spenden, Webhooks und Einstellungen. Keine API-Schlüssel, keine Änderungen an Wallets.',
    },
    accountant: {
      name: 'Buchhaltung',
      detail:
        'Kann Statistiken und Wallets ansehen sowie alle Zahlungen ansehen und herunterladen, aber nichts ändern.',
    },
    support: {
      name: 'Support',
      detail: 'Kann Rechnungen, Spenden und Ereignisse ansehen, aber nichts ändern.',
    },
  },
};
