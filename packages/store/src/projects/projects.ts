import type { ScriptType } from '@paywatch/domain/chain';
import type { Currency } from '@paywatch/domain/values';
import { writeAudit } from '../accounts/audit.ts';
import type { Authorize } from '../accounts/authorize.ts';
import { setControlToken } from '../donations/overlay/overlay-controls.ts';
import { notifyOverlayAccess } from '../donations/overlay/overlay-notifications.ts';
import { queueNotice } from '../mails/queue-notice.ts';
import { updateDonorTextsDays } from './donor-texts-days.ts';
import { updateEmbedSites } from './embed-sites.ts';
import { updateFiatCurrency } from './fiat-currency.ts';
import { type PriceMargins, updatePriceMargins } from './price-margins.ts';
import { inTransaction, type TransactionSql } from '../postgres/database.ts';
import { loadPoolStates, type PoolState } from '../pools/pools.ts';
import type { Store } from '../store.ts';
import { gapLimitOfWallet } from '../pools/gap-limit.ts';
import { nextDelay, ownDelay } from '../pools/wallets/wallet-delay.ts';
import { walletState } from '../pools/wallets/wallets.ts';

/** A project without wallets, and the account that it belongs to. */
export type AccountOverview = {
  email: string;
  isEmailVerified: boolean;
  /** Whether the account may use the operator's area. */
  isOperator: boolean;
  /** The address of a change of email that waits for its confirmations. */
  newEmail: string | null;
  registeredAt: Date;
  /** Names the project in the API. */
  publicId: string;
  /** Empty until it is set. */
  name: string;
  donateToken: string;
  overlayToken: string;
  /** Basis points. */
  priceMargin: number;
  longPriceMargin: number | null;
  /** What accepted money is also shown in (ISO 4217); null: only in coins. */
  fiatCurrency: string | null;
  /** The origins whose pages may frame the payment pages. */
  embedSites: string[];
  /** After how many days donors' names and messages are removed; null: never. */
  donorTextsDays: number | null;
  /** The owner's own delay of changes of wallets in seconds; null: the deployment's. */
  ownSeconds: number | null;
  /** A shorter delay, and when it takes effect; both null if none waits. */
  nextSeconds: number | null;
  nextAt: Date | null;
  subscriptionActiveUntil: Date | null;
  isSubscriptionActive: boolean;
  webhook: {
    url: string;
    createdAt: Date;
    status: 'healthy' | 'failing' | 'disabled';
    failingSince: Date | null;
  } | null;
};

type OverviewRow = Omit<AccountOverview, 'webhook'> & {
  url: string | null;
  endpointCreatedAt: Date;
  endpointStatus: 'healthy' | 'failing' | 'disabled';
  failingSince: Date | null;
};

/**
 * Reads a project and an account: that of `accountId`, otherwise the one that the project belongs to. Throws if there is no such
 * project.
 */
export async function findOverview(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  accountId: bigint | null = null,
): Promise<AccountOverview> {
  const [row] = await sql<OverviewRow[]>`
    select a.email, a.email_verified_at is not null as "isEmailVerified", a.is_operator as "isOperator", c.new_email as "newEmail", a.created_at as "registeredAt", p.public_id as "publicId", p.name, p.donate_token as "donateToken",
      p.overlay_token as "overlayToken", p.price_margin_bps as "priceMargin", p.long_price_margin_bps as "longPriceMargin", p.fiat_currency as "fiatCurrency", p.embed_sites as "embedSites", p.donor_texts_days as "donorTextsDays", p.subscription_active_until as "subscriptionActiveUntil",
      ${ownDelay(sql)} as "ownSeconds", ${nextDelay(sql)},
      coalesce(p.subscription_active_until > now(), false) as "isSubscriptionActive",
      w.url, w.created_at as "endpointCreatedAt", w.status as "endpointStatus", w.failing_since as "failingSince"
    from projects p
    join accounts a on a.id = coalesce(${accountId}::bigint, p.account_id)
    left join webhook_endpoints w on w.project_id = p.id
    left join email_changes c on c.account_id = a.id and c.expires_at > now()
    where p.id = ${projectId}`;
  if (!row) throw new Error(`project ${projectId} not found`);
  const { url, endpointCreatedAt: createdAt, endpointStatus: status, failingSince, ...overview } = row;
  return { ...overview, webhook: url === null ? null : { url, createdAt, status, failingSince } };
}

/** A wallet of a project with the state of its pool. */
export type WalletOverview = {
  currency: Currency;
  scriptType: ScriptType;
  derivationPath: string | null;
  isVerified: boolean;
  isServing: boolean;
  effectiveAt: Date | null;
  verificationAddress: string;
  gapLimit: number;
  pool: PoolState;
};

/** The wallets of a project; in each currency the serving one first, then one that waits to take effect. */
export async function listWalletOverviews(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  quarantineSeconds: number,
): Promise<WalletOverview[]> {
  const wallets = await sql<(Omit<WalletOverview, 'pool'> & { walletId: bigint; startIndex: number })[]>`
    select w.id as "walletId", w.currency, w.script_type as "scriptType", w.derivation_path as "derivationPath",
      ${walletState(sql)}, w.start_index as "startIndex", w.verification_address as "verificationAddress",
      ${gapLimitOfWallet(sql)} as "gapLimit"
    from wallets w join pools p on p.id = w.pool_id
    where w.project_id = ${projectId} and w.status <> 'replaced'
    order by w.currency, array_position(array['verified', 'pending', 'unverified'], w.status)`;
  const pools = await loadPoolStates(sql, projectId, quarantineSeconds);
  return wallets.flatMap(({ walletId, startIndex, ...wallet }) => {
    const pool = pools.get(walletId);
    // A wallet that was registered or replaced between the two statements is in only one of them.
    if (pool === undefined) return [];
    // A project that registers somebody else's key learns nothing about the pool.
    return [{ ...wallet, pool: wallet.isVerified ? pool : unseenPool(pool.poolId, startIndex) }];
  });
}

function unseenPool(poolId: bigint, startIndex: number): PoolState {
  return { poolId, nextIndex: Math.max(1, startIndex), free: 0, leased: 0, quarantined: 0, isLimited: false };
}

/** What an owner changes of a project; what is absent stays. */
export type ProjectChange = {
  name?: string | undefined;
  margins?: Partial<PriceMargins>;
  fiatCurrency?: string | null | undefined;
  embedSites?: readonly string[] | undefined;
  donorTextsDays?: number | null | undefined;
};

/** Changes the name or the settings of a project. Safe to repeat. */
export async function updateProject(
  store: Store,
  authorize: Authorize,
  projectId: bigint,
  { name, margins = {}, fiatCurrency, embedSites, donorTextsDays }: ProjectChange,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    const [before] = await tx<{ name: string }[]>`
      select name from projects where id = ${projectId} for no key update`;
    if (name !== undefined) {
      await tx`update projects set name = ${name} where id = ${projectId}`;
      const change = { before: { name: before?.name || null }, after: { name } };
      await writeAudit(tx, { projectId, action: 'project.renamed', actor, ...change });
    }
    if (Object.keys(margins).length > 0) {
      const change = await updatePriceMargins(tx, projectId, margins);
      await writeAudit(tx, { projectId, action: 'project.price_margins_changed', actor, ...change });
    }
    if (fiatCurrency !== undefined) {
      const change = await updateFiatCurrency(tx, projectId, fiatCurrency);
      await writeAudit(tx, { projectId, action: 'project.fiat_currency_changed', actor, ...change });
    }
    if (embedSites !== undefined) {
      const change = await updateEmbedSites(tx, projectId, embedSites);
      await writeAudit(tx, { projectId, action: 'project.embed_sites_changed', actor, ...change });
    }
    if (donorTextsDays !== undefined) {
      const change = await updateDonorTextsDays(tx, projectId, donorTextsDays);
      await writeAudit(tx, { projectId, action: 'project.donor_texts_changed', actor, ...change });
    }
    // Payers read the name as the sender of the page. The first one is part of the setup.
    if (before?.name && name !== undefined && name !== before.name)
      await queueNotice(tx, { projectId }, { kind: 'branding_changed' });
  });
}

/**
 * Replaces the token of the project's donation page, overlay or control page. Every replica ends the streams that were opened
 * with the old one.
 */
export async function rotateToken(
  store: Store,
  authorize: Authorize,
  projectId: bigint,
  kind: 'donate' | 'overlay' | 'control',
  token: string,
): Promise<void> {
  await inTransaction(store, async (tx) => {
    const actor = await authorize(tx);
    await setToken(tx, projectId, kind, token);
    await writeAudit(tx, { projectId, action: 'project.token_rotated', actor, detail: { kind } });
    if (kind === 'overlay') await notifyOverlayAccess(tx, projectId);
  });
}

async function setToken(
  tx: TransactionSql,
  projectId: bigint,
  kind: 'donate' | 'overlay' | 'control',
  token: string,
): Promise<void> {
  if (kind === 'control') await setControlToken(tx, projectId, token);
  else if (kind === 'donate') await tx`update projects set donate_token = ${token} where id = ${projectId}`;
  else await tx`update projects set overlay_token = ${token} where id = ${projectId}`;
}
