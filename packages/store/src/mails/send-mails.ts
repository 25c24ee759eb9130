import type { MailLanguage } from '@paywatch/domain/contract';
import { listen, type Listener } from '../postgres/listen.ts';
import type { Store } from '../store.ts';
import type { MailData, MailKind } from './mail-kinds.ts';
import { MAILS_CHANNEL } from './queue-mail.ts';

/**
 * Calls `onWake` when a mail may be due and after each (re)connection. Poll as well: notifications may be lost, and retries send
 * none.
 */
export function listenForMails(store: Pick<Store, 'direct'>, onWake: () => void): Promise<Listener> {
  return listen(store, MAILS_CHANNEL, onWake, onWake);
}

/** A mail for the queue. `claims` is part of the job id, so that each attempt has a job of its own. */
export type DueMail = { id: bigint; claims: number };

/** Leases up to `limit` due mails to this relay; they are due again after `leaseSeconds` unless a worker claims them. */
export async function leaseDueMails(
  { sql }: Pick<Store, 'sql'>,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<DueMail[]> {
  return sql<DueMail[]>`
    update mails m set relay_at = now() + make_interval(secs => ${leaseSeconds})
    from (
      select id from mails where status = 'pending' and relay_at <= now()
      order by relay_at limit ${limit} for update skip locked
    ) due
    where m.id = due.id returning m.id, m.claims`;
}

/** A claimed mail. `claim` is the number of the attempt. */
export type ClaimedMail = {
  id: bigint;
  claim: number;
  messageId: string;
  accountId: bigint | null;
  recipient: string;
  kind: MailKind;
  language: MailLanguage;
  data: MailData;
  isExpired: boolean;
};

/**
 * Claims a mail for one attempt. Null if it has ended, is not due yet, or another worker has claimed it. A worker that dies
 * leaves the mail due again after `claimSeconds`.
 */
export async function claimMail(
  { sql }: Pick<Store, 'sql'>,
  id: bigint,
  claimSeconds: number,
): Promise<ClaimedMail | null> {
  const [mail] = await sql<ClaimedMail[]>`
    update mails set claims = claims + 1,
      next_attempt_at = now() + make_interval(secs => ${claimSeconds}),
      relay_at = now() + make_interval(secs => ${claimSeconds})
    where id = ${id} and status = 'pending' and next_attempt_at <= now()
    returning id, claims as claim, message_id as "messageId", account_id as "accountId", recipient, kind, language, data,
      expires_at <= now() as "isExpired"`;
  return mail ?? null;
}

/** The result of an attempt. `dropped`: nobody needs the mail, for example because there is no such account. */
export type MailOutcome = { kind: 'sent' | 'failed' | 'dropped' } | { kind: 'retry'; delaySeconds: number };

/** Records the result of an attempt. Ignored if the mail was claimed again meanwhile. */
export async function recordMailOutcome(
  { sql }: Pick<Store, 'sql'>,
  { id, claim }: Pick<ClaimedMail, 'id' | 'claim'>,
  outcome: MailOutcome,
): Promise<void> {
  if (outcome.kind === 'retry') {
    const due = sql`now() + make_interval(secs => ${outcome.delaySeconds})`;
    await sql`
      update mails set next_attempt_at = ${due}, relay_at = ${due}
      where id = ${id} and claims = ${claim} and status = 'pending'`;
    return;
  }
  await sql`
    update mails set status = ${outcome.kind}, ended_at = now()
    where id = ${id} and claims = ${claim} and status = 'pending'`;
}

/** Counts the mails that wait for a relay now. */
export async function countDueMails({ sql }: Pick<Store, 'sql'>): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from mails where status = 'pending' and relay_at <= now()`;
  return row?.count ?? 0;
}

/** How many seconds the oldest due mail has waited for a relay; 0 if none is due. */
export async function measureMailLag({ sql }: Pick<Store, 'sql'>): Promise<number> {
  const [row] = await sql<{ lag: number }[]>`
    select coalesce(extract(epoch from now() - min(relay_at)), 0)::float8 as lag
    from mails where status = 'pending' and relay_at <= now()`;
  return row?.lag ?? 0;
}
