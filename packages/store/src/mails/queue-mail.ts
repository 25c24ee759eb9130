import type { MailLanguage } from '@paywatch/domain/contract';
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

/** A whole team is invited at once; one address still gets five in an hour. */
const MAX_INVITATIONS_PER_HOUR = MAX_MAILS.perDay;

/**
 * Writes a mail into the outbox, in the transaction that causes it and as its last lock. Writes nothing beyond `MAX_MAILS`: each
 * kind is counted separately, so that many harmless notices cannot hide a dangerous one. Returns whether it was written.
 */
export async function queueMail(tx: TransactionSql, mail: NewMail): Promise<boolean> {
  const { accountId, recipient, kind, language, data = {}, dedupeKey = null } = mail;
  const perHour = kind === 'invitation' ? MAX_INVITATIONS_PER_HOUR : MAX_MAILS.perHour;
  // Otherwise concurrent requests would all see a count below the limit.
  await lockMails(tx, `recipient ${recipient}`);
  if (accountId !== null) await lockMails(tx, `account ${accountId}`);
  const { count } = await tx`
    insert into mails (account_id, recipient, kind, language, data, dedupe_key, expires_at)
    select ${accountId}::bigint, ${recipient}::text, ${kind}::text, ${language}::text, ${tx.json(data)}, ${dedupeKey}::text,
      now() + make_interval(secs => ${mailLifetimeSeconds(kind)})
    from (
      select count(*) filter (where created_at > now() - interval '1 hour') as hour, count(*) as day,
        count(*) filter (where created_at > now() - interval '1 hour' and recipient = ${recipient}) as received
      from mails
      where (recipient = ${recipient} or account_id = ${accountId}::bigint) and kind = ${kind}
        and created_at > now() - interval '1 day'
    ) recent
    where recent.received < ${MAX_MAILS.perHour} and recent.hour < ${perHour} and recent.day < ${MAX_MAILS.perDay}
    on conflict (dedupe_key) do nothing`;
  await tx`select pg_notify(${MAILS_CHANNEL}, '')`;
  return count > 0;
}

async function lockMails(tx: TransactionSql, key: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('mails of ' || ${key}, 0))`;
}
