import type { NoticeKind } from '@paywatch/domain/contract';

/**
 * The kinds of mails. Owners cannot switch off those that are not notices.
 *
 * | Kind                   | Sent to                                                                 |
 * | ---------------------- | ----------------------------------------------------------------------- |
 * | `verify_email`         | a new account, to prove its address                                     |
 * | `already_registered`   | the owner of an account whose email was registered again                |
 * | `reset_password`       | whoever asked for it, if there is an account                            |
 * | `confirm_old_email`    | the present address, before a change of email                           |
 * | `confirm_new_email`    | the new address, before a change of email                               |
 * | `email_changed`        | the former address, after the change                                    |
 * | `account_deleted`      | the former owner of an account that was deleted                         |
 * | `notices_changed`      | the owner, when the choice of notices changed                           |
 * | `owners_changed`         | the owners of a project, when somebody became or ceased to be one       |
 * | `membership_changed`     | a member who got another role or was removed                            |
 * | `invitation`             | somebody who is invited to a project                                    |
 * | `wallet_change_pending`  | the account, before a wallet takes effect or the delay becomes shorter   |
 * | `wallet_change_ended`    | the account, when that wallet took effect or was cancelled               |
 */
export type MailKind =
  | 'verify_email'
  | 'already_registered'
  | 'reset_password'
  | 'confirm_old_email'
  | 'confirm_new_email'
  | 'email_changed'
  | 'account_deleted'
  | 'notices_changed'
  | 'owners_changed'
  | 'membership_changed'
  | 'invitation'
  | 'wallet_change_pending'
  | 'wallet_change_ended'
  | NoticeKind;

/** What a mail names besides its kind. Never a secret, link or email address. */
export type MailData = Readonly<Record<string, string>>;

const MINUTE = 60;
const DAY = 24 * 3600;

/** How long links in mails work. */
export const LINK_SECONDS = 30 * MINUTE;

const WITH_LINK: ReadonlySet<MailKind> = new Set([
  'verify_email',
  'reset_password',
  'confirm_old_email',
  'confirm_new_email',
]);

/** After this many seconds nobody needs the mail any more. */
export function mailLifetimeSeconds(kind: MailKind): number {
  return WITH_LINK.has(kind) ? LINK_SECONDS : 3 * DAY;
}
