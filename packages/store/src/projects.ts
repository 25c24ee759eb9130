import type { Currency, ScriptType } from '@paywatch/domain';
import { writeAudit } from './audit.ts';
import type { Store } from './store.ts';

/** An account and its project as their owner sees them, without wallets. */
export type AccountOverview = {
  email: string;
  registeredAt: Date;
  /** Empty until it is set. */
  name: string;
  donateToken: string;
  overlayToken: string;
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

/** Throws when there is no such project. */
export async function findOverview({ sql }: Pick<Store, 'sql'>, projectId: bigint): Promise<AccountOverview> {
  const [row] = await sql<OverviewRow[]>`
    select a.email, a.created_at as "registeredAt", p.name, p.donate_token as "donateToken",
      p.overlay_token as "overlayToken", p.subscription_active_until as "subscriptionActiveUntil",
      coalesce(p.subscription_active_until > now(), false) as "isSubscriptionActive",
      w.url, w.created_at as "endpointCreatedAt", w.status as "endpointStatus", w.failing_since as "failingSince"
    from projects p
    join accounts a on a.id = p.account_id
    left join webhook_endpoints w on w.project_id = p.id
    where p.id = ${projectId}`;
  if (!row) throw new Error('a credential belongs to a project');
  const { url, endpointCreatedAt: createdAt, endpointStatus: status, failingSince, ...overview } = row;
  return { ...overview, webhook: url === null ? null : { url, createdAt, status, failingSince } };
}

/** A wallet of a project with its pool; addresses are those that this project could get, holds, or must wait for. */
export type WalletOverview = {
  currency: Currency;
  scriptType: ScriptType;
  derivationPath: string | null;
  isVerified: boolean;
  verificationAddress: string;
  nextIndex: number;
  gapLimit: number;
  free: number;
  leased: number;
  quarantined: number;
};

/**
 * The wallets of a project, the serving one of each currency before a newer registration. `quarantineSeconds` is how
 * long a released address rests. Reads the pool through its partial indexes: retired addresses cost nothing.
 */
export async function listWalletOverviews(
  { sql }: Pick<Store, 'sql'>,
  projectId: bigint,
  quarantineSeconds: number,
): Promise<WalletOverview[]> {
  return sql<WalletOverview[]>`
    select w.currency, w.script_type as "scriptType", w.derivation_path as "derivationPath",
      w.status = 'verified' as "isVerified", w.verification_address as "verificationAddress",
      p.next_index as "nextIndex",
      case when w.status = 'verified' then p.gap_limit else w.gap_limit end as "gapLimit",
      (fresh.count + coalesce(released.rested, 0))::int as free,
      leased.count::int as leased,
      coalesce(released.resting, 0)::int as quarantined
    from wallets w
    join pools p on p.id = w.pool_id
    cross join lateral (
      select count(*) from pool_addresses a
      where a.pool_id = p.id and a.state = 'free' and a.released_at is null
        and a.address_index <= p.last_used_index + p.gap_limit
    ) fresh
    cross join lateral (
      select
        count(*) filter (where a.released_at <= now() - make_interval(secs => ${quarantineSeconds})) as rested,
        count(*) filter (where a.released_at > now() - make_interval(secs => ${quarantineSeconds})) as resting
      from pool_addresses a
      where a.pool_id = p.id and a.state = 'free' and a.released_at is not null
        and a.last_project_id = ${projectId}
    ) released
    cross join lateral (
      select count(*) from pool_addresses a
      where a.pool_id = p.id and a.state = 'leased' and a.last_project_id = ${projectId}
    ) leased
    where w.project_id = ${projectId} and w.status <> 'replaced'
    order by w.currency, w.status = 'verified' desc`;
}

/** Names a project. Safe to repeat. */
export async function renameProject(store: Store, projectId: bigint, name: string): Promise<void> {
  await store.sql.begin(async (tx) => {
    await tx`update projects set name = ${name} where id = ${projectId}`;
    await writeAudit(tx, { projectId, action: 'project.renamed', actor: 'session', detail: { name } });
  });
}

/** Puts another capability in the place of the project's donate or overlay token; the old one stops working. */
export async function rotateToken(
  store: Store,
  projectId: bigint,
  kind: 'donate' | 'overlay',
  token: string,
): Promise<void> {
  await store.sql.begin(async (tx) => {
    await (kind === 'donate'
      ? tx`update projects set donate_token = ${token} where id = ${projectId}`
      : tx`update projects set overlay_token = ${token} where id = ${projectId}`);
    await writeAudit(tx, { projectId, action: 'project.token_rotated', actor: 'session', detail: { kind } });
  });
}
