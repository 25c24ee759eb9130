import type { AuditAction, WalletChangeView } from '@paywatch/domain/contract';
import type { Currency } from '@paywatch/domain/values';
import type { Fragment } from 'postgres';
import { maskedEmail } from '../members/masked-email.ts';
import type { AnySql } from '../postgres/database.ts';
import type { Store } from '../store.ts';

/** Who acted with a credential, and from which address (null if unknown). */
type Principal = {
  /** `session`, `operator` for one in the operator's area, or the public part of an API key. */
  name: string;
  /** The account of the session; null for an API key. */
  accountId: bigint | null;
  ip: string | null;
};

/** Who acted: a caller of the API, or somebody without a credential. */
export type Actor = Principal | 'operator' | 'watcher' | 'payment' | 'unknown';

type Value = string | number | boolean | null;
/** What changed, by name. Never a secret, an extended key or an email. */
type Values = Readonly<Record<string, Value | readonly string[]>>;

/** One line of the audit log. `before` and `after`: what the change replaced, and by what; null where there was nothing. */
export type AuditEntry = {
  accountId?: bigint;
  projectId?: bigint;
  action: AuditAction;
  actor: Actor;
  detail?: Values;
  before?: Values | null;
  after?: Values | null;
};

/** Writes one line; call it in the transaction of the action. Not safe to repeat: each call adds a line. */
export async function writeAudit(sql: AnySql, entry: AuditEntry): Promise<void> {
  const { accountId = null, projectId = null, action, actor, detail: given, ...change } = entry;
  const { name, accountId: actorAccountId, ip } = principalOf(actor);
  const detail = sql.json({ ...given, ...pickChange(change), actor: name });
  await sql`
    insert into audit_log (account_id, project_id, action, actor_account_id, ip, detail)
    values (${accountId}, ${projectId}, ${action}, ${actorAccountId}, ${ip}::text::inet, ${detail})`;
}

function principalOf(actor: Actor): Principal {
  return typeof actor === 'string' ? { name: actor, accountId: null, ip: null } : actor;
}

function pickChange({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** A change of a project's wallets. */
export type WalletChange = {
  currency: Currency;
  action: WalletChangeView['action'];
  verificationAddress: string;
  /** The new gap limit where that was changed; null for the other changes. */
  gapLimit: number | null;
  actor: string;
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
      detail->>'verification_address' as "verificationAddress", detail->>'actor' as actor, created_at as at,
      case when action = 'wallet.gap_limit_changed' then (detail->>'to')::int end as "gapLimit"
    from audit_log
    where project_id = ${projectId}
      and action in ('wallet.registered', 'wallet.verified', 'wallet.replaced', 'wallet.gap_limit_changed',
        'wallet.change_scheduled', 'wallet.change_cancelled', 'wallet.change_applied')
      -- Earlier releases wrote changes of the gap limit without it.
      and detail ? 'verification_address'
    order by created_at desc, id desc
    limit ${limit}`;
}

/** A line of the audit log as read back; `detail` contains the name of the actor, and what was before and after. */
export type AuditLine = {
  publicId: string;
  action: AuditAction;
  /** The email of the person whose session acted, as an operator too; null for everybody else. */
  actorEmail: string | null;
  /**
   * The email of the member that the line is about, masked for a former member. Null for other lines, and if the account is deleted.
   */
  memberEmail: string | null;
  ip: string | null;
  detail: Record<string, unknown>;
  at: Date;
};

/** Whose lines: those of an account and those of its project. */
export type AuditSubject = { accountId: bigint; projectId: bigint };

/** Selects lines; null matches everything. Times in epoch milliseconds. */
export type AuditFilter = {
  action: AuditAction | null;
  /** Inclusive. */
  fromMs: number | null;
  /** Exclusive. */
  toMs: number | null;
};

/** Matches every line. */
export const ANY_AUDIT_LINE: AuditFilter = { action: null, fromMs: null, toMs: null };

/** `after`: the public id of the last line of the previous page; null for the first page. */
export type AuditPage = { limit: number; after: string | null };

/** Lists lines about an account and its project, newest first. Null if neither has the line `after`. */
export async function listAuditLines(
  { sql }: { sql: AnySql },
  subject: AuditSubject,
  filter: AuditFilter,
  { limit, after }: AuditPage,
): Promise<AuditLine[] | null> {
  const position = after === null ? NEWEST : await findPosition(sql, subject, after);
  if (position === null) return null;
  const linesOf = (column: 'project_id' | 'account_id', id: bigint) => sql`
    select * from audit_log
    where ${sql(column)} = ${id} ${conditions(sql, filter, position)}
    order by created_at desc, id desc limit ${limit}`;
  // Two indexed lists instead of one "or", which would read the whole log.
  const lines = await sql<(AuditLine & { isMember: boolean })[]>`
    select l.public_id as "publicId", l.action, case when actor.deleted_at is null then actor.email end as "actorEmail",
      case when member.deleted_at is null then member.email end as "memberEmail", host(l.ip) as ip, l.detail, l.created_at as at,
      exists (
        select from project_members m where m.project_id = l.project_id and m.account_id = member.id) as "isMember"
    from (
      (${linesOf('project_id', subject.projectId)}) union (${linesOf('account_id', subject.accountId)})
    ) l
    left join projects p on p.id = l.project_id
    left join accounts actor on actor.id = case l.detail->>'actor'
      when 'session' then coalesce(l.actor_account_id, l.account_id, p.account_id) when 'operator' then l.actor_account_id end
    left join accounts member on member.id = (l.detail->>'member_account')::bigint
    order by l.created_at desc, l.id desc
    limit ${limit}`;
  return lines.map(({ isMember, ...line }) => (isMember ? line : withMaskedMember(line)));
}

/** An action of an operator, and the account that it concerned. */
export type OperatorLine = Omit<AuditLine, 'memberEmail'> & {
  /** Null if the account is deleted. */
  account: { publicId: string; email: string } | null;
};

/** Lists the last actions of operators over all accounts, newest first. */
export async function listOperatorLines({ sql }: { sql: AnySql }, limit: number): Promise<OperatorLine[]> {
  return sql<OperatorLine[]>`
    select l.public_id as "publicId", l.action, case when actor.deleted_at is null then actor.email end as "actorEmail",
      host(l.ip) as ip, l.detail, l.created_at as at,
      case when a.deleted_at is null then json_build_object('publicId', a.public_id, 'email', a.email) end as account
    from audit_log l
    left join projects p on p.id = l.project_id
    left join accounts a on a.id = coalesce(l.account_id, p.account_id)
    left join accounts actor on actor.id = l.actor_account_id
    where l.detail->>'actor' = 'operator'
    order by l.created_at desc, l.id desc
    limit ${limit}`;
}

/** A former member may have changed the address since, and the project has no business with the new one. */
function withMaskedMember(line: AuditLine): AuditLine {
  return { ...line, memberEmail: line.memberEmail && maskedEmail(line.memberEmail) };
}

/** A place in the log. The time is text: a Date would drop the microseconds, and with them lines of the next page. */
type Position = { at: string; id: bigint };
const NEWEST: Position = { at: 'infinity', id: 2n ** 63n - 1n };

async function findPosition(
  sql: AnySql,
  { accountId, projectId }: AuditSubject,
  publicId: string,
): Promise<Position | null> {
  const [position] = await sql<Position[]>`
    select created_at::text as at, id from audit_log
    where public_id = ${publicId}::text::uuid and (project_id = ${projectId} or account_id = ${accountId})`;
  return position ?? null;
}

function conditions(sql: AnySql, { action, fromMs, toMs }: AuditFilter, position: Position): Fragment {
  return sql`
    and (created_at, id) < (${position.at}::text::timestamptz, ${position.id})
    ${action === null ? sql`` : sql`and action = ${action}`}
    ${fromMs === null ? sql`` : sql`and created_at >= ${new Date(fromMs)}`}
    ${toMs === null ? sql`` : sql`and created_at < ${new Date(toMs)}`}`;
}

/** Lines read at once by an export. */
const EXPORT_PAGE = 500;

/** Reads all lines that match, newest first, page by page, so that memory does not grow with the log. */
export async function* readAuditLines(
  store: { sql: AnySql },
  subject: AuditSubject,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditLine[]> {
  for (let after: string | null = null; ;) {
    const lines: AuditLine[] =
      (await listAuditLines(store, subject, filter, { limit: EXPORT_PAGE, after })) ?? [];
    yield lines;
    after = lines.at(-1)?.publicId ?? null;
    if (lines.length < EXPORT_PAGE) return;
  }
}

/**
 * Deletes audit lines older than `AUDIT_KEPT_DAYS`, at most the `most` oldest ones; returns their number. Runs as the role
 * `retention`, which can do nothing else, or as the owner. Safe to repeat.
 */
export async function deleteOldAuditLines({ sql }: { sql: AnySql }, most: number): Promise<number> {
  const [row] = await sql<{ deleted: number }[]>`select delete_old_audit_lines(${most}) as deleted`;
  return row?.deleted ?? 0;
}
