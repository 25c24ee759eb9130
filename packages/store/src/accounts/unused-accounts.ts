import type { CleanUp } from '../postgres/clean-up.ts';
import { inTransaction } from '../postgres/database.ts';

/**
 * Deletes accounts without any set-up that nobody uses: no remembered login, no active subscription, and no line in the audit
 * log, which is kept for 400 days. The email can register again.
 */
export const deleteUnusedAccounts: CleanUp = async (store, limit) =>
  inTransaction(store, async (tx) => {
    const unused = await tx<{ accountId: bigint; projectId: bigint }[]>`
      select a.id as "accountId", p.id as "projectId"
      from accounts a join projects p on p.account_id = a.id
      where a.created_at < now() - interval '400 days' and not a.is_operator
        and not exists (select from projects o where o.account_id = a.id and o.id <> p.id)
        and not exists (select from project_members m where m.account_id = a.id or m.project_id = p.id)
        and not exists (select from invoices i where i.project_id = p.id)
        and not exists (select from wallets w where w.project_id = p.id)
        and not exists (select from pools o where o.owner_project_id = p.id)
        and not exists (select from pools o where o.owner_project_id is null and o.registered_by = p.id)
        and not exists (select from api_keys k where k.project_id = p.id)
        and not exists (select from webhook_endpoints w where w.owner_id = p.id)
        and not exists (select from payment_links l where l.project_id = p.id)
        and not exists (select from subscription_purchases s where s.project_id = p.id)
        and not exists (select from sessions s where s.account_id = a.id)
        and not exists (select from login_origins o where o.account_id = a.id)
        and not exists (select from audit_log l where l.account_id = a.id)
        and not exists (select from audit_log l where l.project_id = p.id)
        and coalesce(p.subscription_active_until < now(), true)
      order by a.id limit ${limit} for update skip locked`;
    const ids = (of: 'accountId' | 'projectId') => tx.array(unused.map((row) => String(row[of])));
    await tx`delete from overlay_donations where project_id = any (${ids('projectId')}::bigint[])`;
    await tx`delete from project_stats where project_id = any (${ids('projectId')}::bigint[])`;
    await tx`delete from projects where id = any (${ids('projectId')}::bigint[])`;
    await tx`delete from accounts where id = any (${ids('accountId')}::bigint[])`;
    return unused.length;
  });
