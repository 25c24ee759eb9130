import type { ApiKeyView, NewApiKeyView } from '../../../resources/account/api-keys.ts';
import type { AuditLineView } from '../../../resources/account/audit-log.ts';
import type { DoneView, SessionView } from '../../../resources/account/auth.ts';
import type { MeView, RotatedTokenView } from '../../../resources/account/me.ts';
import type { NoticesView } from '../../../resources/account/notices.ts';
import { SCOPES_OF } from '../../../fields/primitives.ts';
import type { OperationExample } from '../operation-example.ts';
import { SERVING, wallet } from '../merchant/setup.ts';
import { subscription } from './subscription.ts';

const credentials = { email: 'merchant@example.com', password: 'correct horse battery staple' };
/** All of them, in English. */
export const notices: NoticesView = {
  language: 'en',
  new_device: true,
  password_changed: true,
  second_factor_changed: true,
  wallet_changed: true,
  endpoint_changed: true,
  api_key_changed: true,
  endpoint_failing: true,
  pool_low: true,
  subscription_ending: true,
  members_changed: true,
  branding_changed: true,
};

const linkToken = 'Vw3n8Yt0b1QmZr5cXk7LpD2fHs9JgU4aEoT6iNvBxRq';
const done: DoneView = { ok: true };
const session: SessionView = { session_token: 's3ssI0nT0ken', expires_at: '2026-11-27T12:00:00.000Z' };

const { notice: _notice, ...walletFields } = wallet;

/** The account with its project. */
export const me: MeView = {
  account: {
    email: 'merchant@example.com',
    email_verified: true,
    new_email: null,
    mail_enabled: true,
    is_operator: false,
    created_at: '2026-11-01T09:00:00.000Z',
  },
  project: {
    project_id: 'prj_5f0d9a366c1b4b0e9a533c1d2f7e8a90',
    name: 'Example Shop',
    role: 'owner',
    donate_token: 'q7Zt4nHvW2kXy9BcLm3Rd8',
    donate_url: 'https://pay.example/donate/q7Zt4nHvW2kXy9BcLm3Rd8',
    overlay_token: 'h5Pq8sJrT6mNw2VxKc9Fb4',
    overlay_url: 'https://pay.example/overlay/h5Pq8sJrT6mNw2VxKc9Fb4',
    price_margin_bps: 0,
    long_price_margin_bps: null,
    fiat_currency: null,
    embed_sites: [],
    donor_texts_days: null,
    subscription,
    wallets: [
      {
        ...walletFields,
        ...SERVING,
        next_index: 2,
        addresses: { free: 19, leased: 1, quarantined: 0, limited: false },
      },
    ],
    wallet_changes: [
      {
        currency: 'BTC',
        action: 'verified',
        verification_address: wallet.verification_address,
        actor: 'session',
        at: '2026-11-01T09:12:00.000Z',
      },
      {
        currency: 'BTC',
        action: 'registered',
        verification_address: wallet.verification_address,
        actor: 'session',
        at: '2026-11-01T09:11:00.000Z',
      },
    ],
    wallet_change_delay: { seconds: 86_400, minimum_seconds: 86_400, next_seconds: null, next_at: null },
    webhook: {
      url: 'https://shop.example/webhooks/paywatch',
      created_at: '2026-11-01T09:20:00.000Z',
      status: 'healthy',
      failing_since: null,
    },
  },
};

const rotatedToken: RotatedTokenView = {
  kind: 'donate',
  token: me.project.donate_token,
  url: me.project.donate_url,
};

const apiKey: ApiKeyView = {
  key_public: '7Hq2VxN9',
  name: 'Shop server',
  scope: 'full',
  scopes: [...SCOPES_OF.full],
  expires_at: null,
  allowed_addresses: null,
  created_at: '2026-11-01T09:10:00.000Z',
  last_used_at: '2026-11-20T12:00:00.000Z',
  last_used_ip: '203.0.113.7',
  revoked_at: null,
};

const { last_used_at: _usedAt, last_used_ip: _usedIp, revoked_at: _revokedAt, ...keyTerms } = apiKey;
const newApiKey: NewApiKeyView = { ...keyTerms, token: 'pw_7Hq2VxN9_<secret>' };

const AUDIT_CSV_EXAMPLE = `at,action,actor_type,actor,ip,details,before,after\r
2026-11-20T12:00:00.000Z,project.renamed,person,merchant@example.com,203.0.113.7,{},"{""name"":null}","{""name"":""Example Shop""}"\r
`;

const auditLine: AuditLineView = {
  id: '0b6d2b0e-3a0e-4c1c-9f57-2d9b8f6f2f11',
  at: '2026-11-20T12:00:00.000Z',
  action: 'project.renamed',
  actor: { type: 'person', name: 'merchant@example.com' },
  ip: '203.0.113.7',
  details: {},
  before: { name: null },
  after: { name: 'Example Shop' },
};

/** Of the account, its project and its keys. */
export const accountExamples = {
  register: { request: credentials, response: done },
  login: { request: credentials, response: session },
  logout: { response: done },
  logoutAll: { response: done },
  changePassword: {
    request: { current_password: credentials.password, new_password: 'a longer and better one' },
    response: done,
  },
  forgotPassword: { request: { email: credentials.email }, response: done },
  resetPassword: { request: { token: linkToken, new_password: 'the newest password' }, response: done },
  verifyEmail: { request: { token: linkToken, password: credentials.password }, response: done },
  resendVerification: { response: done },
  changeEmail: {
    request: { current_password: credentials.password, new_email: 'billing@example.com' },
    response: done,
  },
  confirmEmail: { request: { token: linkToken }, response: { changed: true } },
  getMe: { response: me },
  listAuditLog: { response: { data: [auditLine], next_cursor: null } },
  exportAuditLog: { response: AUDIT_CSV_EXAMPLE },
  getNotices: { response: notices },
  updateNotices: { request: { new_device: false }, response: { ...notices, new_device: false } },
  updateProject: { request: { name: 'Example Shop' }, response: me.project },
  rotateProjectToken: { response: rotatedToken },
  createApiKey: { request: { name: 'Shop server', scope: 'full' }, response: newApiKey },
  listApiKeys: { response: { data: [apiKey], next_cursor: null } },
  revokeApiKey: { response: { ...apiKey, revoked_at: '2026-11-20T12:30:00.000Z' } },
} as const satisfies Record<string, OperationExample>;
