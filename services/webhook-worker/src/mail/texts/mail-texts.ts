import type { MailLanguage } from '@paywatch/domain/contract';
import type { MailData, MailKind } from '@paywatch/store/mails';
import { mailDe } from './mail-de.ts';
import { mailEn } from './mail-en.ts';

/** The contents of a mail: a subject, paragraphs, and one link with its label. */
export type MailText = {
  subject: string;
  paragraphs: readonly string[];
  action: { label: string; page: MailPage };
};

/** The pages of the account area that mails link to. */
type MailPage =
  | 'login'
  | 'register'
  | 'forgot-password'
  | 'verify-email'
  | 'reset-password'
  | 'confirm-email'
  | 'cancel-wallet-changes'
  | 'accept-invitation'
  | 'members'
  | 'projects'
  | 'settings'
  | 'wallets'
  | 'webhooks'
  | 'keys';

/** What can happen to a member of a project, or who invited somebody; a member without an email has deleted the account. */
export type MemberChange = 'invited' | 'joined' | 'role_changed' | 'removed' | 'left';
export type MemberChanges = Readonly<Record<MemberChange, (member: string, role: string) => string>>;

/** Every mail of a language, and the line at its end. */
export type MailTexts = Readonly<Record<MailKind, (data: MailData) => MailText>> & {
  readonly footer: (host: string) => string;
};

/** What can happen to the second factors of an account; the changed factor has a name. */
export type SecondFactorChange =
  'added' | 'removed' | 'passkey_added' | 'passkey_removed' | 'codes_replaced' | 'code_used' | 'reset';
export type SecondFactorChanges = Readonly<Record<SecondFactorChange, (name: string) => string>>;

export const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { en: mailEn, de: mailDe };
