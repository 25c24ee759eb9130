import type { AccountExport } from '@paywatch/domain/contract';
import { DEFAULT_BRANDING, DEFAULT_DONATION_PAGE, DEFAULT_OVERLAY_SETTINGS } from '@paywatch/domain/contract';
import type { MerchantState } from './merchant-api.ts';

/** The export of the account of a test. */
export function accountExport(state: MerchantState): AccountExport {
  const file = { csv: 'https://pay.example/v1/file', jsonl: 'https://pay.example/v1/file' };
  return {
    exported_at: '2026-11-20T12:00:00.000Z',
    ...state.me,
    projects: state.people.projects,
    members: state.people.members,
    invitations: state.people.invitations,
    notices: state.notices,
    sessions: state.openSessions,
    login_networks: [],
    second_factors: { data: [], recovery_codes_left: 0 },
    branding: DEFAULT_BRANDING,
    donation_page: DEFAULT_DONATION_PAGE,
    overlay_settings: DEFAULT_OVERLAY_SETTINGS,
    overlay_sources: state.sources,
    moderation: state.moderation,
    wallets: [],
    api_keys: state.keys,
    webhook_endpoints: state.endpoints,
    payment_links: state.links,
    uploads: [],
    purchases: state.purchases,
    files: { invoices: file, payments: file, events: file, audit_log: file },
  };
}
