import {
  includesRole,
  type MeView,
  type ProjectRole,
  type ProjectView,
  type WalletChangeDelayView,
  type WalletStateView,
} from '@paywatch/domain/contract';
import { walletDelaySeconds } from '@paywatch/domain/pools';
import { listWalletChanges, type WalletChange } from '@paywatch/store/accounts';
import {
  findOverview,
  listWalletOverviews,
  type AccountOverview,
  type WalletOverview,
} from '@paywatch/store/projects';
import type { SessionCaller } from '../caller.ts';
import type { ApiConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

const MAX_CHANGES = 20;

/** The account of the caller, and its project as its role shows it. */
export function getMe(dependencies: Dependencies): OperationHandler<'getMe'> {
  return async ({ caller }) => {
    const { account, project } = await readMe(dependencies, caller);
    return { status: 200, body: { account, project: shownTo(caller.role, dependencies.config, project) } };
  };
}

/** In place of a token that the caller may not have; no project has it. */
const HIDDEN = 'hidden';

/** What a role does not use, it does not see: the links of overlays are credentials, and support sees invoices and events only. */
function shownTo(role: ProjectRole, config: ApiConfig, project: ProjectView): ProjectView {
  if (includesRole(role, 'manager')) return project;
  const withoutLinks = {
    ...project,
    overlay_token: HIDDEN,
    overlay_url: tokenUrl(config, 'overlay', HIDDEN),
  };
  return includesRole(role, 'accountant')
    ? withoutLinks
    : { ...withoutLinks, wallets: [], wallet_changes: [], webhook: null };
}

/** Reads the view of an account and a project, for every operation that returns one of them. */
export async function readMe(
  { store, config }: Dependencies,
  { accountId, projectId, role }: Pick<SessionCaller, 'accountId' | 'projectId' | 'role'>,
): Promise<MeView> {
  const [overview, wallets, changes] = await Promise.all([
    findOverview(store, projectId, accountId),
    listWalletOverviews(store, projectId, config.env.QUARANTINE_SECONDS),
    listWalletChanges(store, projectId, MAX_CHANGES),
  ]);
  return {
    account: {
      email: overview.email,
      email_verified: overview.isEmailVerified,
      new_email: overview.newEmail,
      mail_enabled: config.env.MAIL_URL !== undefined,
      is_operator: overview.isOperator,
      created_at: overview.registeredAt.toISOString(),
    },
    project: {
      project_id: overview.publicId,
      role,
      ...settingsView(config, overview, wallets, changes),
    },
  };
}

function settingsView(
  config: ApiConfig,
  overview: AccountOverview,
  wallets: readonly WalletOverview[],
  changes: readonly WalletChange[],
): Omit<ProjectView, 'project_id' | 'role'> {
  const { donateToken, overlayToken, subscriptionActiveUntil, webhook } = overview;
  return {
    name: overview.name === '' ? null : overview.name,
    donate_token: donateToken,
    donate_url: tokenUrl(config, 'donate', donateToken),
    overlay_token: overlayToken,
    overlay_url: tokenUrl(config, 'overlay', overlayToken),
    price_margin_bps: overview.priceMargin,
    long_price_margin_bps: overview.longPriceMargin,
    fiat_currency: overview.fiatCurrency,
    embed_sites: overview.embedSites,
    donor_texts_days: overview.donorTextsDays,
    subscription: {
      active: overview.isSubscriptionActive,
      active_until: subscriptionActiveUntil?.toISOString() ?? null,
    },
    wallets: wallets.map(walletStateView),
    wallet_changes: changes.map(({ at, verificationAddress, gapLimit, ...change }) => ({
      ...change,
      ...(gapLimit === null ? {} : { gap_limit: gapLimit }),
      verification_address: verificationAddress,
      at: at.toISOString(),
    })),
    wallet_change_delay: delayView(config, overview),
    webhook: webhook && webhookView(webhook),
  };
}

function delayView(
  { env }: ApiConfig,
  { ownSeconds, nextSeconds, nextAt }: AccountOverview,
): WalletChangeDelayView {
  const deploymentSeconds = env.WALLET_CHANGE_DELAY;
  const delay = (seconds: number | null) => walletDelaySeconds({ deploymentSeconds, ownSeconds: seconds });
  return {
    seconds: delay(ownSeconds),
    minimum_seconds: deploymentSeconds,
    next_seconds: nextSeconds === null ? null : delay(nextSeconds),
    next_at: nextAt?.toISOString() ?? null,
  };
}

/** The URL of a project's donation page, overlay or control page. */
export function tokenUrl(config: ApiConfig, kind: 'donate' | 'overlay' | 'control', token: string): string {
  return `${config.publicUrl}/${kind}/${token}`;
}

function walletStateView({ pool, ...wallet }: WalletOverview): WalletStateView {
  return {
    currency: wallet.currency,
    script_type: wallet.scriptType,
    derivation_path: wallet.derivationPath,
    verified: wallet.isVerified,
    serving: wallet.isServing,
    effective_at: wallet.effectiveAt?.toISOString() ?? null,
    verification_address: wallet.verificationAddress,
    next_index: pool.nextIndex,
    gap_limit: wallet.gapLimit,
    addresses: {
      free: pool.free,
      leased: pool.leased,
      quarantined: pool.quarantined,
      limited: pool.isLimited,
    },
  };
}

function webhookView(webhook: NonNullable<AccountOverview['webhook']>): ProjectView['webhook'] {
  return {
    url: webhook.url,
    created_at: webhook.createdAt.toISOString(),
    status: webhook.status,
    failing_since: webhook.failingSince?.toISOString() ?? null,
  };
}
