import type { AuditLineView } from '../../../resources/account/audit-log.ts';
import type {
  OperatedAccountDetails,
  OperatedAccountView,
  OperatorActionView,
  OperatorOverview,
  ParkedInvoiceView,
} from '../../../resources/account/operator.ts';
import type { OperationExample } from '../operation-example.ts';

const account = { account_id: 'acc_1b9d6bcdbbfd4b2d9b5dab8dfbbd4bed', email: 'merchant@example.com' };
const subscription = { active: true, active_until: '2027-01-31T23:59:59.999Z' };
const summary: OperatedAccountView = {
  ...account,
  email_verified: true,
  is_operator: false,
  created_at: '2026-11-01T09:00:00.000Z',
  project_name: 'Example Shop',
  subscription,
};
const unlocked: AuditLineView = {
  id: '5d1c8a52-7f0e-4c39-9a64-2b8e6f17d3a0',
  at: '2026-11-20T11:30:00.000Z',
  action: 'account.unlocked',
  actor: { type: 'operator', name: 'operator@example.com' },
  ip: '203.0.113.7',
  details: { reason: 'Called back' },
  before: null,
  after: null,
};
const extended: AuditLineView = {
  ...unlocked,
  id: '0c7f4e19-63ad-4b58-8e21-9d5a7c30f6b4',
  action: 'subscription.changed',
  details: { from: '2026-12-01T12:00:00.000Z', until: subscription.active_until },
};
const raised: AuditLineView = {
  ...unlocked,
  id: '8e3b20d7-1f94-4c6a-b7d5-46f0a92c1e83',
  action: 'account.address_limit_changed',
  details: { from: null, to: 50_000 },
};
const action: OperatorActionView = { ...unlocked, account };
const details: OperatedAccountDetails = {
  ...account,
  email_verified: true,
  is_operator: false,
  created_at: '2026-11-01T09:00:00.000Z',
  second_factor: true,
  sessions: 1,
  addresses: { derived: 20, limit: 50_000, own_limit: 50_000 },
  projects: [
    {
      project_id: 'prj_5f0d9a366c1b4b0e9a533c1d2f7e8a90',
      name: 'Example Shop',
      first: true,
      created_at: '2026-11-01T09:00:00.000Z',
      subscription,
      wallets: [{ currency: 'BTC', verified: true, serving: true, free_addresses: 18, limited: false }],
      webhook: { url: 'https://shop.example/paywatch', status: 'healthy', failing_since: null },
    },
  ],
  changes: [unlocked],
};
const parked: ParkedInvoiceView = {
  public_id: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
  currency: 'BTC',
  project_id: 'prj_5f0d9a366c1b4b0e9a533c1d2f7e8a90',
  account,
  error_class: 'PostgresError 23514',
  error_message: 'violates constraint invoices_amount',
  attempts: 3,
  parked_at: '2026-11-20T11:58:00.000Z',
  failed_at: '2026-11-20T11:59:00.000Z',
  next_attempt_at: '2026-11-20T12:00:00.000Z',
};
const overview: OperatorOverview = {
  checked_at: '2026-11-20T12:00:00.000Z',
  chains: [
    {
      currency: 'BTC',
      network: 'mainnet',
      tip_height: 921000,
      blocks_behind: 0,
      read_at: '2026-11-20T11:59:58.000Z',
      fresh: true,
      leader: true,
      decisions_due: 1,
      sources: [{ name: '10.0.0.5:8332', usable: true }],
    },
  ],
  webhooks: { pending: 2, due: 0, failing: 1, lag_seconds: 0 },
  mail: { due: 0, lag_seconds: 0 },
  pools: [{ currency: 'BTC', ample: 3, low: 0, dry: 0, free_addresses: 52 }],
  parked_invoices: 1,
  redis: true,
  incidents: [
    { component: 'webhooks', started_at: '2026-11-18T08:00:00.000Z', ended_at: '2026-11-18T08:04:00.000Z' },
  ],
  problems: [
    { code: 'parked_invoices', currency: null, count: 1, seconds: null, text: '1 invoices are parked' },
  ],
  findings: [{ check: 'Postgres', status: 'ok', detail: '17.6', advice: null }],
  actions: [action],
};

/** Of the operator's area. */
export const operatorExamples = {
  getOperatorOverview: { response: overview },
  listOperatorAccounts: { response: { data: [summary], next_cursor: null } },
  getOperatorAccount: { response: details },
  unlockOperatorAccount: { request: { reason: 'Called back' }, response: details },
  setOperatorSubscription: {
    request: { until: subscription.active_until },
    response: {
      ...details,
      addresses: { derived: 20, limit: 2000, own_limit: null },
      changes: [extended, unlocked],
    },
  },
  setOperatorAddressLimit: {
    request: { addresses: 50_000 },
    response: { ...details, changes: [raised, unlocked] },
  },
  listParkedInvoices: { response: { data: [parked], next_cursor: null } },
  retryParkedInvoice: { response: parked },
} as const satisfies Record<string, OperationExample>;
