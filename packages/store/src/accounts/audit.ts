import type { Currency } from '@paywatch/domain/values';
import type { AnySql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** The actions in the audit log. Details contain no secret, no extended key and no email. */
export type AuditAction =
  | 'account.registered'
  | 'account.registered_again'
  | 'account.address_limit_changed'
  | 'password.changed'
  | 'password.reset'
  | 'project.renamed'
  | 'project.token_rotated'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'wallet.registered'
  | 'wallet.verified'
  | 'wallet.replaced'
  | 'wallet.expired'
  | 'wallet.gap_limit_changed'
  | 'webhook.set'
  | 'orders.imported'
  | 'payment.unassigned'
  | 'subscription.changed';

/** Who acted: `session`, `operator`, `watcher`, or the public part of an API key. */
export type Actor = string;

/** One line of the audit log. */
export type AuditEntry = {
  accountId?: bigint;
  projectId?: bigint;
  action: AuditAction;
  actor: Actor;
  detail?: Readonly<Record<string, string | number | null>>;
};

/** Writes one line; call it in the transaction of the action. Not safe to repeat: each call adds a line. */
export async function writeAudit(sql: AnySql, entry: AuditEntry): Promise<void> {
  const detail = sql.json({ ...entry.detail, actor: entry.actor });
  await sql`
    insert into audit_log (account_id, project_id, action, detail)
    values (${entry.accountId ?? null}, ${entry.projectId ?? null}, ${entry.action}, ${detail})`;
}

/** A change of a project's wallets. */
export type WalletChange = {
  currency: Currency;
  action: 'registered' | 'verified' | 'replaced';
  verificationAddress: string;
  actor: Actor;
  at: Date;
};

/** Lists the last changes of a project's wallets, newest first. */
export async function listWalletChanges(
  store: Pick<Store, 'sql'>,
  projectId: bigint,
  limit: number,
): Promise<WalletChange[]> {
  return store.sql<WalletChange[]>`
    select detail->>'currency' as currency, substr(action, 8) as action,
      detail->>'verification_address' as "verificationAddress", detail->>'actor' as actor, created_at as at
    from audit_log
    where project_id = ${projectId} and action in ('wallet.registered', 'wallet.verified', 'wallet.replaced')
    order by id desc
    limit ${limit}`;
}

/** A line of the audit log as read back; `detail` contains the actor. */
export type AuditLine = { action: string; detail: Record<string, unknown>; at: Date };

/** Lists the last lines about an account and its project, newest first. */
export async function listAuditEntries(
  { sql }: { sql: AnySql },
  { accountId, projectId }: { accountId: bigint; projectId: bigint },
  limit: number,
): Promise<AuditLine[]> {
  // Two indexed lists instead of one "or", which would read the whole log.
  return sql<AuditLine[]>`
    select action, detail, created_at as at from (
      (select * from audit_log where project_id = ${projectId} order by id desc limit ${limit})
      union
      (select * from audit_log where account_id = ${accountId} order by id desc limit ${limit})
    ) lines
    order by id desc
    limit ${limit}`;
}

/**
 * Deletes audit lines older than `AUDIT_KEPT_DAYS`, at most the `most` oldest ones; returns their number. Runs as the role
 * `retention`, which can do nothing else, or as the owner. Safe to repeat.
 */
export async function deleteOldAuditLines({ sql }: { sql: AnySql }, most: number): Promise<number> {
  const [row] = await sql<{ deleted: number }[]>`select delete_old_audit_lines(${most}) as deleted`;
  return row?.deleted ?? 0;
}
