import { DEFAULT_OVERLAY_SETTINGS } from '../../../overlay-options.ts';
import type { AccountExport } from '../../../resources/account/account-export.ts';
import { DEFAULT_BRANDING } from '../../../resources/account/branding.ts';
import { DEFAULT_DONATION_PAGE } from '../../../resources/donations/donation-page.ts';
import { DEFAULT_OVERLAY_SOURCES } from '../../../resources/donations/overlay-sources.ts';
import { me, notices } from './account.ts';
import type { OperationExample } from '../operation-example.ts';
import { openSession } from './sessions.ts';

const fileOf = (path: string) => ({
  csv: `https://pay.example/v1/${path}?format=csv`,
  jsonl: `https://pay.example/v1/${path}?format=jsonl`,
});

/** Of an account that was registered and verified, and nothing else. */
const accountExport: AccountExport = {
  exported_at: '2026-11-20T12:00:00.000Z',
  account: me.account,
  notices,
  sessions: [openSession],
  login_networks: [{ network: '203.0.113.7', last_login_at: '2026-11-20T12:00:00.000Z' }],
  second_factors: { data: [], recovery_codes_left: 0 },
  projects: [
    {
      project_id: me.project.project_id,
      name: null,
      role: 'owner',
      first: true,
      created_at: me.account.created_at,
    },
  ],
  project: { ...me.project, name: null, wallets: [], wallet_changes: [], webhook: null },
  members: [
    { id: null, email: me.account.email, role: 'owner', is_you: true, joined_at: me.account.created_at },
  ],
  invitations: [],
  branding: DEFAULT_BRANDING,
  donation_page: DEFAULT_DONATION_PAGE,
  overlay_settings: DEFAULT_OVERLAY_SETTINGS,
  overlay_sources: DEFAULT_OVERLAY_SOURCES,
  moderation: { hold: 'none', words: [], control_token: null, control_url: null },
  wallets: [],
  api_keys: [],
  webhook_endpoints: [],
  payment_links: [],
  uploads: [],
  purchases: [],
  files: {
    invoices: fileOf('exports/invoices'),
    payments: fileOf('exports/payments'),
    events: fileOf('exports/events'),
    audit_log: fileOf('audit-log/export'),
  },
};

/** Of the export and the deletion. */
export const leavingExamples = {
  exportAccount: { response: accountExport },
  deleteAccount: {
    request: { email: 'merchant@example.com', current_password: 'correct horse battery staple' },
    response: { ok: true },
  },
} as const satisfies Record<string, OperationExample>;
