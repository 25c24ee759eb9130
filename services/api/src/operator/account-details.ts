import type { OperatedAccountDetails } from '@paywatch/domain/contract';
import { AppError } from '@paywatch/domain/requests';
import { withoutQuery } from '@paywatch/domain/webhooks';
import {
  ANY_AUDIT_LINE,
  countSessions,
  findOperatedAccount,
  listAuditLines,
  listOwnedProjects,
  readAddressUse,
  type OperatedAccount,
} from '@paywatch/store/accounts';
import {
  findOverview,
  listWalletOverviews,
  type AccountOverview,
  type WalletOverview,
} from '@paywatch/store/projects';
import { operatorLineView } from '../audit-log/audit-line-view.ts';
import type { Dependencies } from '../dependencies.ts';

const LAST_CHANGES = { limit: 20, after: null };

type ProjectView = OperatedAccountDetails['projects'][number];
type OwnedProject = Awaited<ReturnType<typeof listOwnedProjects>>[number];

/** The account with this public id. Throws AppError `account_not_found`. */
export async function requireAccount(
  { store }: Pick<Dependencies, 'store'>,
  publicId: string,
): Promise<OperatedAccount> {
  const account = await findOperatedAccount(store, publicId);
  if (account === null) throw new AppError('account_not_found');
  return account;
}

/** Reads what operators see of an account: no secret, no token, no extended key. */
export async function readDetails(
  dependencies: Dependencies,
  account: OperatedAccount,
): Promise<OperatedAccountDetails> {
  const { store, config } = dependencies;
  const { accountId, projectId } = account;
  const [owned, sessions, addresses, changes] = await Promise.all([
    listOwnedProjects(store, accountId),
    countSessions(store, accountId, config.env.SESSION_IDLE_SECONDS),
    readAddressUse(store.sql, projectId, config.env.ACCOUNT_ADDRESSES),
    listAuditLines(store, account, ANY_AUDIT_LINE, LAST_CHANGES),
  ]);
  const projects = await Promise.all(owned.map((project) => readProject(dependencies, project)));
  return {
    account_id: account.publicId,
    email: account.email,
    email_verified: account.isEmailVerified,
    is_operator: account.isOperator,
    created_at: account.registeredAt.toISOString(),
    second_factor: account.hasSecondFactor,
    sessions,
    addresses: { ...addresses, own_limit: account.addressLimit },
    projects: projects.map((project, index) => ({ ...project, first: index === 0 })),
    changes: (changes ?? []).map(operatorLineView),
  };
}

async function readProject(
  { store, config }: Dependencies,
  { projectId, createdAt }: OwnedProject,
): Promise<Omit<ProjectView, 'first'>> {
  const [overview, wallets] = await Promise.all([
    findOverview(store, projectId),
    listWalletOverviews(store, projectId, config.env.QUARANTINE_SECONDS),
  ]);
  return {
    project_id: overview.publicId,
    name: overview.name === '' ? null : overview.name,
    created_at: createdAt.toISOString(),
    subscription: {
      active: overview.isSubscriptionActive,
      active_until: overview.subscriptionActiveUntil?.toISOString() ?? null,
    },
    wallets: wallets.map(walletView),
    webhook: webhookView(overview),
  };
}

function walletView({
  currency,
  isVerified,
  isServing,
  pool,
}: WalletOverview): ProjectView['wallets'][number] {
  return {
    currency,
    verified: isVerified,
    serving: isServing,
    free_addresses: pool.free,
    limited: pool.isLimited,
  };
}

function webhookView({ webhook }: AccountOverview): ProjectView['webhook'] {
  if (webhook === null) return null;
  const { url, status, failingSince } = webhook;
  return { url: withoutQuery(url), status, failing_since: failingSince?.toISOString() ?? null };
}
