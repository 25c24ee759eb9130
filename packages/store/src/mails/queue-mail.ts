import type { MailLanguage } from '@paywatch/domain/contract';
import type { Fragment } from 'postgres';
import type { TransactionSql } from '../postgres/database.ts';
import { mailLifetimeSeconds, type MailData, type MailKind } from './mail-kinds.ts';

/** NOTIFY channel: a mail may be due. The payload is empty; listeners read the table. */
export const MAILS_CHANNEL = 'paywatch_mails';

/** A mail to write. `accountId` is null if it is not known whether the recipient has an account. */
export type NewMail = {
  accountId: bigint | null;
  recipient: string;
  kind: MailKind;
  language: MailLanguage;
  data?: MailData;
  /** With a key, the mail is written at most once. */
  dedupeKey?: string;
};

/** The most mails of one kind to one recipient, and by one account. */
export const MAX_MAILS = { perHour: 5, perDay: 20 } as const;

/**
 * The most invitations in a day: from one account to one address, from one account to all addresses (somebody may invite a whole team),
 * and from all accounts to one address. The last one protects a mailbox, and no inviter notices it: strangers must not use up what one
 * may send, nor learn what others have sent.
 */
export const MAX_INVITATIONS = { toOne: 3, byAccount: 20, received: 50 } as const;

/**
 * Writes a mail into the outbox, in the transaction that causes it and as its last lock. Writes nothing beyond `MAX_MAILS`: each
 * kind is counted separately, so that many harmless notices cannot hide a dangerous one. Returns whether it was written; an invitation
 * beyond what its recipient may receive is written, but not sent.
 */
export async function queueMail(tx: TransactionSql, mail: NewMail): Promise<boolean> {
  const { accountId, recipient, kind, language, data = {}, dedupeKey = null } = mail;
  // Otherwise concurrent requests would all see a count below the limit.
  await lockMails(tx, `recipient ${recipient}`);
  if (accountId !== null) await lockMails(tx, `account ${accountId}`);
  const { count } = await tx`
    insert into mails (account_id, recipient, kind, language, data, dedupe_key, expires_at, status, ended_at)
    select ${accountId}::bigint, ${recipient}::text, ${kind}::text, ${language}::text, ${tx.json(data)}, ${dedupeKey}::text,
      now() + make_interval(secs => ${mailLifetimeSeconds(kind)}),
      case when is_silent then 'dropped' else 'pending' end, case when is_silent then now() end
    from (
      select ${kind === 'invitation' ? ofInvitations(tx, mail) : ofKind(tx)} from mails
      where (recipient = ${recipient} or account_id = ${accountId}::bigint) and kind = ${kind}
        and created_at > now() - interval '1 day'
    ) recent
    where is_allowed
    on conflict (dedupe_key) do nothing`;
  await tx`select pg_notify(${MAILS_CHANNEL}, '')`;
  return count > 0;
}

function ofKind(tx: TransactionSql): Fragment {
  return tx`
    count(*) filter (where created_at > now() - interval '1 hour') < ${MAX_MAILS.perHour}
      and count(*) < ${MAX_MAILS.perDay} as is_allowed,
    false as is_silent`;
}

function ofInvitations(tx: TransactionSql, { accountId, recipient }: NewMail): Fragment {
  const { toOne, byAccount, received } = MAX_INVITATIONS;
  return tx`
    count(*) filter (where account_id = ${accountId}::bigint and recipient = ${recipient}) < ${toOne}
      and count(*) filter (where account_id = ${accountId}::bigint) < ${byAccount} as is_allowed,
    count(*) filter (where recipient = ${recipient} and status <> 'dropped') >= ${received} as is_silent`;
}

async function lockMails(tx: TransactionSql, key: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('mails of ' || ${key}, 0))`;
}
