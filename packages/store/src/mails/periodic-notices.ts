import type { NoticeKind } from '@paywatch/domain/contract';
import type { Fragment } from 'postgres';
import { inTransaction, type Sql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import { queueNotice, type Notice } from './queue-notice.ts';

/** A state of a project that its owner should know of. */
type Due = { projectId: bigint } & Notice;

const BATCH = 500;

/**
 * Queues notices of states that last: an endpoint that fails, a pool that runs dry, a subscription that ends within a week. The
 * key of each names the state and its time, so that any number of workers may look as often as they like. Returns how many
 * states were found.
 */
export async function queuePeriodicNotices(store: Pick<Store, 'sql'>): Promise<number> {
  const due = [
    ...(await findFailingEndpoints(store)),
    ...(await findShortPools(store)),
    ...(await findEndingSubscriptions(store)),
  ];
  for (const { projectId, ...notice } of due)
    await inTransaction(store, (tx) => queueNotice(tx, { projectId }, notice));
  return due.length;
}

async function findFailingEndpoints({ sql }: Pick<Store, 'sql'>): Promise<Due[]> {
  const rows = await sql<{ projectId: bigint; url: string; key: string }[]>`
    select w.owner_id as "projectId", w.url,
      'endpoint ' || w.key || ' ' || extract(epoch from w.failing_since)::bigint as key
    from webhook_endpoints w
    where w.failing_since < now() - interval '30 minutes'
      and ${isWanted(sql, sql`w.owner_id`, 'endpoint_failing')}
      and not exists (select from mails m
        where m.dedupe_key = 'endpoint ' || w.key || ' ' || extract(epoch from w.failing_since)::bigint)
    order by w.failing_since limit ${BATCH}`;
  return rows.map(({ projectId, url, key }) => ({
    projectId,
    kind: 'endpoint_failing',
    // Only the host: merchants put secrets in paths.
    data: { host: URL.parse(url)?.host ?? '' },
    dedupeKey: key,
  }));
}

/** At most one notice of a pool each day. */
async function findShortPools({ sql }: Pick<Store, 'sql'>): Promise<Due[]> {
  const rows = await sql<{ projectId: bigint; currency: string; key: string }[]>`
    select p.owner_project_id as "projectId", p.currency, 'pool ' || p.id || ' ' || current_date as key
    from pools p
    join wallets w on w.pool_id = p.id and w.project_id = p.owner_project_id and w.status = 'verified'
    where p.health <> 'ample' and p.history_checked_at is not null
      and ${isWanted(sql, sql`p.owner_project_id`, 'pool_low')}
      and not exists (select from mails m where m.dedupe_key = 'pool ' || p.id || ' ' || current_date)
    order by p.id limit ${BATCH}`;
  return rows.map(({ projectId, currency, key }) => ({
    projectId,
    kind: 'pool_low',
    data: { currency },
    dedupeKey: key,
  }));
}

async function findEndingSubscriptions({ sql }: Pick<Store, 'sql'>): Promise<Due[]> {
  const rows = await sql<{ projectId: bigint; day: string; key: string }[]>`
    select p.id as "projectId", to_char(p.subscription_active_until, 'YYYY-MM-DD') as day,
      'subscription ' || p.id || ' ' || extract(epoch from p.subscription_active_until)::bigint as key
    from projects p
    where p.subscription_active_until > now() and p.subscription_active_until < now() + interval '7 days'
      and ${isWanted(sql, sql`p.id`, 'subscription_ending')}
      and not exists (select from mails m where m.dedupe_key =
        'subscription ' || p.id || ' ' || extract(epoch from p.subscription_active_until)::bigint)
    order by p.subscription_active_until limit ${BATCH}`;
  return rows.map(({ projectId, day, key }) => ({
    projectId,
    kind: 'subscription_ending',
    data: { day },
    dedupeKey: key,
  }));
}

/** Otherwise projects whose owners want no notice could fill the batch again and again. */
function isWanted(sql: Sql, projectId: Fragment, kind: NoticeKind): Fragment {
  return sql`exists (
    select from projects o join accounts a on a.id = o.account_id
    where o.id = ${projectId} and a.email_verified_at is not null and not (${kind} = any (a.muted_notices)))`;
}
