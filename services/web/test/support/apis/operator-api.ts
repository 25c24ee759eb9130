import {
  setAddressLimitBodySchema,
  setSubscriptionBodySchema,
  unlockAccountBodySchema,
  validate,
  type AuditAction,
  type MeView,
  type OperatedAccountDetails,
  type OperatedAccountView,
  type OperatorActionView,
  type OperatorOverview,
  type ParkedInvoiceView,
} from '@paywatch/domain/contract';
import type { Answer, Handlers } from '../contract-server.ts';
import { NEW_KEY_DETAILS } from '../merchant-data.ts';
import { problem } from '../problem.ts';
import type { SecondFactorState } from './second-factor-api.ts';

/** What operators see and change. */
export type Operated = {
  overview: OperatorOverview;
  accounts: OperatedAccountDetails[];
  parked: ParkedInvoiceView[];
};

export const OPERATED_ACCOUNT = 'acc_1b9d6bcdbbfd4b2d9b5dab8dfbbd4bed';
const SUBSCRIPTION = { active: true, active_until: '2027-01-31T23:59:59.999Z' };

/** A deployment without problems, and one account beside the operator's. */
export function healthyDeployment(): Operated {
  return { overview: overviewOf({}), accounts: [accountOf({})], parked: [] };
}

/** The state of a deployment in which everything works. */
function overviewOf(changes: Partial<OperatorOverview>): OperatorOverview {
  return {
    checked_at: '2026-11-20T12:00:00.000Z',
    chains: [
      {
        currency: 'BTC',
        network: 'mainnet',
        tip_height: 921_000,
        blocks_behind: 0,
        read_at: '2026-11-20T11:59:58.000Z',
        fresh: true,
        leader: true,
        decisions_due: 0,
        sources: [{ name: 'node.a-long-host-name.of-the-operator.example.com:8332', usable: true }],
      },
    ],
    webhooks: { pending: 2, due: 0, failing: 1, lag_seconds: 0 },
    mail: { due: 0, lag_seconds: 0 },
    pools: [{ currency: 'BTC', ample: 3, low: 0, dry: 0, free_addresses: 52 }],
    parked_invoices: 0,
    redis: true,
    incidents: [],
    problems: [],
    findings: [{ check: 'Postgres', status: 'ok', detail: '17.6', advice: null }],
    actions: [],
    ...changes,
  };
}

/** Everything that can be wrong, each problem once. */
export function troubledOverview(): OperatorOverview {
  const none = { currency: null, count: null, seconds: null };
  return overviewOf({
    chains: overviewOf({}).chains.map((chain) => ({
      ...chain,
      blocks_behind: 12,
      fresh: false,
      sources: chain.sources.map(({ name }) => ({ name, usable: false })),
    })),
    problems: [
      { ...none, code: 'no_chain', text: '1' },
      { ...none, code: 'no_leader', currency: 'LTC', text: '2' },
      { ...none, code: 'stale_chain', currency: 'BTC', text: '3' },
      { ...none, code: 'late_webhooks', seconds: 90, text: '4' },
      { ...none, code: 'late_mail', seconds: 600, text: '5' },
      { ...none, code: 'dry_pools', currency: 'BTC', count: 1, text: '6' },
      { ...none, code: 'parked_invoices', count: 2, text: '7' },
      { ...none, code: 'redis_unavailable', text: '8' },
      { ...none, code: 'archive_failing', text: '9' },
    ],
    incidents: [
      { component: 'webhooks', started_at: '2026-11-20T11:00:00.000Z', ended_at: null },
      { component: 'BTC', started_at: '2026-11-18T08:00:00.000Z', ended_at: '2026-11-18T08:04:00.000Z' },
    ],
    findings: [
      { check: 'Postgres', status: 'ok', detail: '17.6', advice: null },
      { check: 'BTC watcher', status: 'warning', detail: 'stale', advice: 'Check the node.' },
      {
        check: 'Schema',
        status: 'failed',
        detail: '1 pending migrations',
        advice: 'Run `paywatch migrate`.',
      },
    ],
    actions: [{ ...lineOf('account.unlocked', { reason: 'Called back' }), account: CONCERNED }],
    mail: null,
  });
}

const CONCERNED = { account_id: OPERATED_ACCOUNT, email: 'shop@example.com' };

/** An account of a merchant. */
export function accountOf(changes: Partial<OperatedAccountDetails>): OperatedAccountDetails {
  return {
    ...CONCERNED,
    email_verified: true,
    is_operator: false,
    created_at: '2026-11-01T09:00:00.000Z',
    second_factor: false,
    sessions: 1,
    addresses: { derived: 20, limit: 2000, own_limit: null },
    projects: [
      {
        project_id: 'prj_0c8e7f5b9d3a4e61b7f2d4c6a8091e3f',
        name: 'Flower Shop',
        first: true,
        created_at: '2026-11-01T09:00:00.000Z',
        subscription: SUBSCRIPTION,
        wallets: [{ currency: 'BTC', verified: true, serving: true, free_addresses: 18, limited: true }],
        webhook: {
          url: 'https://a.long.host.name.of.a.shop.example/with/a/long/path/of/its/own',
          status: 'healthy',
          failing_since: null,
        },
      },
    ],
    changes: [lineOf('api_key.created', NEW_KEY_DETAILS), lineOf('account.registered', {})],
    ...changes,
  };
}

/** An invoice that cannot be decided. */
export function parkedOf(changes: Partial<ParkedInvoiceView>): ParkedInvoiceView {
  return {
    public_id: 'inv_8yXq3mJ2NdPz5KcVh7RtWb',
    currency: 'BTC',
    project_id: 'prj_0c8e7f5b9d3a4e61b7f2d4c6a8091e3f',
    account: CONCERNED,
    error_class: 'PostgresError 23514',
    error_message: 'violates constraint invoices_amount',
    attempts: 3,
    parked_at: '2026-11-20T11:58:00.000Z',
    failed_at: '2026-11-20T11:59:00.000Z',
    next_attempt_at: '2026-11-20T12:40:00.000Z',
    ...changes,
  };
}

function lineOf(action: AuditAction, details: Record<string, unknown>): Omit<OperatorActionView, 'account'> {
  return {
    id: `5d1c8a52-7f0e-4c39-9a64-2b8e6f17d3a${action.length % 10}`,
    at: '2026-11-20T11:30:00.000Z',
    action,
    actor: { type: 'operator', name: 'merchant@example.com' },
    ip: '203.0.113.7',
    details,
    before: null,
    after: null,
  };
}

type State = { operated: Operated; me: MeView; second: SecondFactorState };

/** The operations of operators; to everybody else they are forbidden. */
export function operatorHandlers(state: State): Handlers {
  return Object.fromEntries(
    Object.entries(handlersOf(state)).map(([id, handler]) => [
      id,
      (call) => (state.me.account.is_operator ? handler(call) : problem('forbidden')),
    ]),
  );
}

function handlersOf(state: State): Handlers {
  return {
    getOperatorOverview: () => ({ status: 200, body: state.operated.overview }),
    listOperatorAccounts: ({ query }) => listAccounts(state, query),
    getOperatorAccount: ({ params }) => {
      const account = accountAt(state, params['accountId']);
      return account === undefined ? problem('account_not_found') : { status: 200, body: account };
    },
    unlockOperatorAccount: ({ params, body }) => {
      const checked = validate('body', unlockAccountBodySchema, body);
      if (!checked.ok) return problem('validation_error', { errors: [...checked.errors] });
      return change(state, params['accountId'], (account) => {
        account.changes = [lineOf('account.unlocked', checked.value), ...account.changes];
      });
    },
    setOperatorSubscription: ({ params, body }) => {
      const checked = validate('body', setSubscriptionBodySchema, body);
      if (!checked.ok || checked.value.until < Date.now())
        return problem('validation_error', {
          errors: [{ path: 'body.until', message: 'Must be in the future.' }],
        });
      const until = new Date(checked.value.until).toISOString();
      return change(state, params['accountId'], (account) => {
        for (const project of account.projects) project.subscription = { active: true, active_until: until };
      });
    },
    setOperatorAddressLimit: ({ params, body }) => {
      const checked = validate('body', setAddressLimitBodySchema, body);
      if (!checked.ok) return problem('validation_error', { errors: [...checked.errors] });
      const { addresses } = checked.value;
      return change(state, params['accountId'], (account) => {
        account.addresses = { ...account.addresses, limit: addresses ?? 2000, own_limit: addresses };
      });
    },
    listParkedInvoices: () => ({ status: 200, body: { data: state.operated.parked, next_cursor: null } }),
    retryParkedInvoice: ({ params }) => {
      const { parked } = state.operated;
      const retried = parked.find(({ public_id: id }) => id === params['publicId']);
      state.operated.parked = parked.filter((invoice) => invoice !== retried);
      return retried === undefined ? problem('invoice_not_found') : { status: 200, body: retried };
    },
  };
}

function listAccounts({ operated }: State, query: URLSearchParams): Answer {
  const text = query.get('q') ?? '';
  const found = operated.accounts.filter(({ email }) => email.includes(text));
  const from = Number(query.get('cursor') ?? 0);
  const data = found.slice(from, from + 50).map(summaryOf);
  return { status: 200, body: { data, next_cursor: found.length > from + 50 ? String(from + 50) : null } };
}

function summaryOf({ projects, ...account }: OperatedAccountDetails): OperatedAccountView {
  const { second_factor: _f, sessions: _s, addresses: _a, changes: _c, ...summary } = account;
  const [first] = projects;
  return {
    ...summary,
    project_name: first?.name ?? null,
    subscription: first?.subscription ?? { active: false, active_until: null },
  };
}

function accountAt({ operated }: State, id: string | undefined): OperatedAccountDetails | undefined {
  return operated.accounts.find(({ account_id: known }) => known === id);
}

function change(
  state: State,
  id: string | undefined,
  act: (account: OperatedAccountDetails) => void,
): Answer {
  if (state.second.isProofNeeded) return problem('reauthentication_required');
  const account = accountAt(state, id);
  if (account === undefined) return problem('account_not_found');
  act(account);
  return { status: 200, body: account };
}
