import type { MailLanguage } from '@paywatch/domain/contract';
import type { PendingQuery, Row } from 'postgres';
import type { Sql } from '../postgres/database.ts';
import type { EmailTokenPurpose } from '../schema/accounts/mails.ts';
import type { Store } from '../store.ts';
import { LINK_SECONDS, type MailData, type MailKind } from './mail-kinds.ts';
import { namesOfChange, prepareInvitation } from './prepare-members-mail.ts';
import type { ClaimedMail } from './send-mails.ts';

/** How to send a mail now: in the account's language, with or without a link that carries the token, and what the text names. */
export type PreparedMail = { language: MailLanguage; hasLink: boolean; data: MailData };

/**
 * Decides from the present state whether a claimed mail is still needed, and stores the token of its link (SHA-256). Null if it
 * is not: the account is gone, has another email by now, or does not want the notice. A retry stores one more token; each of
 * them works, and the first use ends them all.
 */
export async function prepareMail(
  store: Pick<Store, 'sql'>,
  mail: ClaimedMail,
  tokenHash: Uint8Array,
): Promise<PreparedMail | null> {
  if (mail.kind === 'invitation') return prepareInvitation(store, mail, tokenHash);
  const { sql } = store;
  const purpose = PURPOSES[mail.kind];
  const isNeeded = purpose === undefined ? isNoticeWanted(sql, mail) : LINK_NEEDED[purpose](sql, mail);
  const account = sql`select a.id, a.language from accounts a where ${isNeeded}`;
  const [found] =
    purpose === undefined
      ? await sql<{ language: MailLanguage }[]>`${account}`
      : await sql<{ language: MailLanguage }[]>`
          with account as (${account}), token as (
            insert into email_tokens (token_hash, account_id, purpose, email, expires_at)
            select ${tokenHash}, id, ${purpose}, ${mail.recipient}, ${linkExpiry(sql, mail)}
            from account
          )
          select language from account`;
  if (!found) return null;
  const data = ABOUT_MEMBERS.has(mail.kind) ? await namesOfChange(store, mail.data) : mail.data;
  return { language: found.language, hasLink: purpose !== undefined, data };
}

/** Mails that name a project and a member by id. */
const ABOUT_MEMBERS: ReadonlySet<MailKind> = new Set([
  'members_changed',
  'owners_changed',
  'membership_changed',
]);

/** A link that cancels works for a day longer than the change waits: its page then shows that the change took effect. */
function linkExpiry(sql: Sql, { kind, data }: ClaimedMail) {
  return kind === 'wallet_change_pending'
    ? sql`${data.effective_at ?? ''}::text::timestamptz + interval '1 day'`
    : sql`now() + make_interval(secs => ${LINK_SECONDS})`;
}

/** Of the links that act for the account of the recipient. */
type OwnPurpose = Exclude<EmailTokenPurpose, 'invitation'>;

const PURPOSES: Readonly<Partial<Record<MailKind, OwnPurpose>>> = {
  verify_email: 'verify',
  reset_password: 'reset',
  confirm_old_email: 'change_from',
  confirm_new_email: 'change_to',
  wallet_change_pending: 'cancel_wallet_changes',
};

type Condition = PendingQuery<Row[]>;

/** Whether the account of a mail still needs its link, by the purpose of the link. */
const LINK_NEEDED: Readonly<Record<OwnPurpose, (sql: Sql, mail: ClaimedMail) => Condition>> = {
  verify: (sql, mail) => sql`${isOwn(sql, mail)} and a.email_verified_at is null`,
  reset: (sql, { recipient }) => sql`a.email = ${recipient}`,
  change_from: (sql, mail) => sql`${isOwn(sql, mail)} and exists (
    select from email_changes c
    where c.account_id = a.id and c.expires_at > now() and c.current_confirmed_at is null)`,
  // An address that has an account already gets no link: its change could not be completed.
  change_to: (sql, { accountId, recipient }) => sql`a.id = ${accountId}
    and exists (
      select from email_changes c
      where c.account_id = a.id and c.expires_at > now() and c.new_confirmed_at is null
        and c.new_email = ${recipient})
    and not exists (select from accounts other where other.email = ${recipient})`,
  // Also to an address that the account had until a moment ago: whoever changed it may have changed the wallet.
  cancel_wallet_changes: (sql, { accountId }) => sql`a.id = ${accountId} and exists (
    select from projects p
    where p.account_id = a.id and (p.next_wallet_delay_at > now()
      or exists (select from wallets w where w.project_id = p.id and w.status = 'pending')))`,
};

function isOwn(sql: Sql, { accountId, recipient }: ClaimedMail): Condition {
  return sql`a.id = ${accountId} and a.email = ${recipient}`;
}

/** Mails to an address that the account may not have any more, verified or not. */
const FOR_ANY_OWNER: ReadonlySet<MailKind> = new Set([
  'email_changed',
  'wallet_change_ended',
  'account_deleted',
]);

/** Notices go to verified addresses only: nobody else has asked for them. */
function isNoticeWanted(sql: Sql, mail: ClaimedMail): Condition {
  const { accountId, kind } = mail;
  if (FOR_ANY_OWNER.has(kind)) return sql`a.id = ${accountId}`;
  if (kind === 'already_registered') return isOwn(sql, mail);
  return sql`${isOwn(sql, mail)} and a.email_verified_at is not null and not (${kind} = any (a.muted_notices))`;
}
