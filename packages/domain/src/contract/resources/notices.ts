import { z } from 'zod';

/** The languages of mails. */
export const mailLanguageSchema = z.enum(['en', 'de']).meta({ id: 'MailLanguage' });
export type MailLanguage = z.infer<typeof mailLanguageSchema>;

/** The notices that an owner chooses from; kinds are added, never renamed. */
export const NOTICE_KINDS = [
  'new_device',
  'password_changed',
  'wallet_changed',
  'endpoint_changed',
  'api_key_changed',
  'endpoint_failing',
  'pool_low',
  'subscription_ending',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
