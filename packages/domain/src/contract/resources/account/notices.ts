import { z } from 'zod';

/** The languages of mails. */
export const mailLanguageSchema = z.enum(['en', 'de']).meta({ id: 'MailLanguage' });
export type MailLanguage = z.infer<typeof mailLanguageSchema>;

/** The notices that an owner chooses from; kinds are added, never renamed. */
export const NOTICE_KINDS = [
  'new_device',
  'password_changed',
  'second_factor_changed',
  'wallet_changed',
  'endpoint_changed',
  'api_key_changed',
  'endpoint_failing',
  'pool_low',
  'subscription_ending',
  'members_changed',
  'branding_changed',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

const wanted = z.boolean().meta({ description: 'Whether it is mailed.' });
const choiceShape = {
  new_device: wanted,
  password_changed: wanted,
  second_factor_changed: wanted,
  wallet_changed: wanted,
  endpoint_changed: wanted,
  api_key_changed: wanted,
  endpoint_failing: wanted,
  pool_low: wanted,
  subscription_ending: wanted,
  members_changed: wanted,
  branding_changed: wanted,
} satisfies Record<NoticeKind, z.ZodType>;

/** GET /v1/notices */
export const noticesViewSchema = z
  .object({ language: mailLanguageSchema, ...choiceShape })
  .meta({ id: 'Notices' });
export type NoticesView = z.infer<typeof noticesViewSchema>;

/** PATCH /v1/notices: what is left out stays as it is. */
export const updateNoticesBodySchema = z
  .strictObject({ language: mailLanguageSchema, ...choiceShape })
  .partial()
  .meta({ id: 'UpdateNotices' });
