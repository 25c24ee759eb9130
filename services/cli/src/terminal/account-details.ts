import { withoutQuery } from '@paywatch/domain/webhooks';
import {
  ANY_AUDIT_LINE,
  countSessions,
  listApiKeys,
  listAuditLines,
  readAddressUse,
  type AddressUse,
  type ApiKey,
  type AuditLine,
} from '@paywatch/store/accounts';
import { listProjects, type ProjectOfAccount } from '@paywatch/store/members';
import type { Database } from '@paywatch/store/postgres';
import {
  findOverview,
  listWalletOverviews,
  type AccountOverview,
  type WalletOverview,
} from '@paywatch/store/projects';
import type { AccountIds } from '@paywatch/store/subscriptions';
import type { Answer } from './command-line.ts';
import { blocks, fields, shownMoment, table } from './text.ts';

const SHOWN_KEYS = 100;
const LAST_CHANGES = { limit: 20, after: null };

/** What an operator may see of an account: no secrets, no link tokens. */
export type AccountDetails = {
  overview: AccountOverview;
  wallets: readonly WalletOverview[];
  addresses: AddressUse;
  projects: readonly ProjectOfAccount[];
  apiKeys: readonly ApiKey[];
  sessions: number;
  changes: readonly AuditLine[];
};

/** Loads the details of an account. */
export async function readAccountDetails(
  database: Pick<Database, 'sql'>,
  { accountId, projectId }: AccountIds,
  config: { QUARANTINE_SECONDS: number; ACCOUNT_ADDRESSES: number; SESSION_IDLE_SECONDS: number },
): Promise<AccountDetails> {
  return {
    overview: await findOverview(database, projectId),
    wallets: await listWalletOverviews(database, projectId, config.QUARANTINE_SECONDS),
    addresses: await readAddressUse(database.sql, projectId, config.ACCOUNT_ADDRESSES),
    projects: await listProjects(database, accountId),
    apiKeys: (await listApiKeys(database, projectId, { limit: SHOWN_KEYS, after: null })) ?? [],
    sessions: await countSessions(database, accountId, config.SESSION_IDLE_SECONDS),
    changes: (await listAuditLines(database, { accountId, projectId }, ANY_AUDIT_LINE, LAST_CHANGES)) ?? [],
  };
}

/** Formats the details of an account. */
export function accountAnswer(details: AccountDetails): Answer {
  return {
    json: accountJson(details),
    text: blocks(
      overviewText(details),
      section('Projects', projectsText(details.projects)),
      section('Wallets', walletsText(details.wallets)),
      section('API keys', keysText(details.apiKeys)),
      section('Last changes', changesText(details.changes)),
    ),
  };
}

function section(title: string, text: string): string {
  return `${title}\n${text.replace(/^/gm, '  ')}`;
}

function accountJson({ overview, projects, wallets, addresses, apiKeys, sessions, changes }: AccountDetails) {
  const { webhook } = overview;
  return {
    email: overview.email,
    created_at: overview.registeredAt.toISOString(),
    operator: overview.isOperator,
    project_name: overview.name === '' ? null : overview.name,
    subscription: {
      active: overview.isSubscriptionActive,
      active_until: overview.subscriptionActiveUntil?.toISOString() ?? null,
    },
    sessions,
    projects: projects.map(projectJson),
    wallets: wallets.map(walletJson),
    addresses,
    webhook: webhook && {
      url: withoutQuery(webhook.url),
      status: webhook.status,
      failing_since: webhook.failingSince?.toISOString() ?? null,
    },
    api_keys: apiKeys.map(keyJson),
    changes: changes.map(({ at, action, ip, detail }) => ({ at: at.toISOString(), action, ip, detail })),
  };
}

function projectJson({ publicId, name, role, isFirst, createdAt }: ProjectOfAccount) {
  return {
    project_id: publicId,
    name: name === '' ? null : name,
    role,
    first: isFirst,
    created_at: createdAt.toISOString(),
  };
}

/** The projects that an account may act on. */
function projectsText(projects: readonly ProjectOfAccount[]): string {
  const rows = projects.map(({ publicId, name, role, createdAt }) => [publicId, name, role, createdAt]);
  return table(['PROJECT', 'NAME', 'ROLE', 'CREATED'], rows, 'none');
}

/** A wallet as JSON, without its key. */
export function walletJson({ pool, ...wallet }: WalletOverview) {
  return {
    currency: wallet.currency,
    script_type: wallet.scriptType,
    derivation_path: wallet.derivationPath,
    verified: wallet.isVerified,
    serving: wallet.isServing,
    effective_at: wallet.effectiveAt?.toISOString() ?? null,
    verification_address: wallet.verificationAddress,
    gap_limit: wallet.gapLimit,
    next_index: pool.nextIndex,
    addresses: {
      free: pool.free,
      leased: pool.leased,
      quarantined: pool.quarantined,
      limited: pool.isLimited,
    },
  };
}

function keyJson(key: ApiKey) {
  return {
    key_public: key.keyPublic,
    name: key.name === '' ? null : key.name,
    scope: key.scope,
    scopes: key.scopes,
    expires_at: key.expiresAt?.toISOString() ?? null,
    allowed_addresses: key.allowedAddresses,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_ip: key.lastUsedIp,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

function overviewText({ overview, addresses, sessions }: AccountDetails): string {
  const { subscriptionActiveUntil: until, webhook } = overview;
  return fields([
    ['Email', overview.email],
    ['Registered', overview.registeredAt],
    ['Operator', overview.isOperator],
    ['Project', overview.name],
    [
      'Subscription',
      until && `${overview.isSubscriptionActive ? 'active until' : 'ended'} ${shownMoment(until)}`,
    ],
    ['Open sessions', sessions],
    ['Derived addresses', `${addresses.derived} of ${addresses.limit} allowed`],
    ['Webhook', webhook && `${withoutQuery(webhook.url)} (${describeWebhook(webhook)})`],
  ]);
}

function describeWebhook({ status, failingSince }: NonNullable<AccountOverview['webhook']>): string {
  return failingSince === null ? status : `${status} since ${shownMoment(failingSince)}`;
}

type WalletState = Pick<WalletOverview, 'isVerified' | 'isServing' | 'effectiveAt'>;

/** The current state of a wallet, as text. */
export function walletStateText({ isVerified, isServing, effectiveAt }: WalletState): string {
  if (isServing) return 'verified';
  return isVerified && effectiveAt ? `takes effect ${shownMoment(effectiveAt)}` : 'not verified yet';
}

/** Formats wallets as a table, without their keys. */
export function walletsText(wallets: readonly WalletOverview[]): string {
  const rows = wallets.map(({ pool, ...wallet }) => [
    wallet.currency,
    wallet.scriptType,
    walletStateText(wallet),
    wallet.gapLimit,
    pool.nextIndex,
    pool.free,
    pool.leased,
    pool.quarantined,
  ]);
  const headers = ['CURRENCY', 'SCRIPT', 'STATE', 'GAP LIMIT', 'NEXT INDEX', 'FREE', 'LEASED', 'QUARANTINED'];
  return table(headers, rows, 'none');
}

function keysText(keys: readonly ApiKey[]): string {
  const rows = keys.map((key) => [
    key.keyPublic,
    key.name,
    key.scope === 'custom' ? key.scopes.join(' ') : key.scope,
    key.createdAt,
    key.lastUsedAt,
    key.lastUsedIp,
    key.expiresAt,
    key.revokedAt,
  ]);
  const headers = ['KEY', 'NAME', 'SCOPE', 'CREATED', 'LAST USED', 'FROM', 'EXPIRES', 'REVOKED'];
  return table(headers, rows, 'none');
}

function changesText(changes: readonly AuditLine[]): string {
  const rows = changes.map(({ at, action, ip, detail }) => [
    at,
    action,
    ip,
    Object.entries(detail)
      .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' '),
  ]);
  return table(['TIME', 'CHANGE', 'FROM', 'DETAIL'], rows, 'none');
}
