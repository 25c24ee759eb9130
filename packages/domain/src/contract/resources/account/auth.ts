import { z } from 'zod';
import { LIMITS, SETTING_LIMITS } from '../../limits.ts';
import { timestampSchema } from '../../fields/primitives.ts';
import { mailLanguageSchema } from './notices.ts';
import { boundedText, exactText, tooLong, tooShort } from '../../fields/text.ts';
import { countCharacters } from '../../fields/visible-text.ts';

/** ASCII only, before lowercasing: the Kelvin sign lowercases to k, and would open another's account. */
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** An email address to write to: trimmed, well-formed, lowercased. */
export const emailSchema = boundedText(LIMITS.email.maxLength)
  .trim()
  .max(LIMITS.email.maxLength, { error: tooLong(LIMITS.email.maxLength), abort: true })
  .regex(EMAIL, { error: 'Must be an email address.' })
  .regex(/^[^@]{1,64}@/, { error: 'Must have at most 64 characters before the @.' })
  .toLowerCase()
  .meta({ format: 'email', maxLength: LIMITS.email.maxLength, example: 'merchant@example.com' });

/** An email address at login: any text is an attempt, so that a malformed one is a wrong one (401). */
const loginEmailSchema = exactText(LIMITS.email)
  .trim()
  .toLowerCase()
  .meta({ maxLength: LIMITS.email.maxLength, example: 'merchant@example.com' });

/** Unicode's own bound of a text that can be normalized as it comes (UAX #15, stream-safe); beyond, the time is quadratic. */
const ENDLESS_MARKS = /\p{M}{31}/u;
const TOO_MANY_MARKS = 'Must not have more than 30 combining marks in a row.';

/**
 * A password, in NFC so that it is the same from every keyboard. Broken Unicode is refused, since two different
 * broken texts would become one when encoded.
 */
function password({ minLength }: { minLength: number }) {
  const { maxLength } = LIMITS.password;
  return boundedText(maxLength)
    .refine((text) => text.isWellFormed(), { error: 'Must not contain broken Unicode.', abort: true })
    .refine((text) => !ENDLESS_MARKS.test(text), { error: TOO_MANY_MARKS, abort: true })
    .normalize('NFC')
    .refine((text) => countCharacters(text) >= minLength, { error: tooShort(minLength) })
    .refine((text) => countCharacters(text) <= maxLength, { error: tooLong(maxLength) })
    .meta({ minLength, maxLength, format: 'password' });
}

const newPasswordSchema = password(LIMITS.password);
/** The password that the account has. A short one is an attempt like others, and a wrong one. */
export const currentPasswordSchema = password({ minLength: 1 });

/** POST /v1/auth/register */
export const registerBodySchema = z
  .strictObject({
    email: emailSchema,
    password: newPasswordSchema,
    language: mailLanguageSchema
      .default('en')
      .meta({ description: 'Language of mails to the account.', example: 'en' }),
    operator_code: exactText(SETTING_LIMITS.operatorCode)
      .optional()
      .meta({
        ...SETTING_LIMITS.operatorCode,
        description:
          'The operator code of the deployment, which makes the new account its operator. Works while no account is an operator.',
      }),
  })
  .meta({ id: 'Register' });
export type RegisterBody = z.output<typeof registerBodySchema>;
/** The same as a caller writes it. */
export type RegisterInput = z.input<typeof registerBodySchema>;

/** POST /v1/auth/login */
export const loginBodySchema = z
  .strictObject({ email: loginEmailSchema, password: currentPasswordSchema })
  .meta({ id: 'Login' });
export type LoginBody = z.output<typeof loginBodySchema>;
/** The same as a caller writes it. */
export type LoginInput = z.input<typeof loginBodySchema>;

/** POST /v1/auth/change-password */
export const changePasswordBodySchema = z
  .strictObject({ current_password: currentPasswordSchema, new_password: newPasswordSchema })
  .meta({ id: 'ChangePassword' });
export type ChangePasswordBody = z.output<typeof changePasswordBodySchema>;
/** The same as a caller writes it. */
export type ChangePasswordInput = z.input<typeof changePasswordBodySchema>;

/** The token of a link in a mail. Any text is an attempt: a malformed one is a wrong one (410). */
const linkTokenSchema = exactText({ minLength: 1, maxLength: LIMITS.linkToken.maxLength }).meta({
  minLength: 1,
  maxLength: LIMITS.linkToken.maxLength,
  description: 'The text after # in the link of the mail. Works once, for 30 minutes.',
});

/** POST /v1/auth/forgot-password */
export const forgotPasswordBodySchema = z.strictObject({ email: emailSchema }).meta({ id: 'ForgotPassword' });
export type ForgotPasswordBody = z.output<typeof forgotPasswordBodySchema>;

/** POST /v1/auth/reset-password */
export const resetPasswordBodySchema = z
  .strictObject({ token: linkTokenSchema, new_password: newPasswordSchema })
  .meta({ id: 'ResetPassword' });
export type ResetPasswordBody = z.output<typeof resetPasswordBodySchema>;

/** POST /v1/auth/verify-email */
export const verifyEmailBodySchema = z
  .strictObject({ token: linkTokenSchema, password: currentPasswordSchema })
  .meta({ id: 'VerifyEmail' });
export type VerifyEmailBody = z.output<typeof verifyEmailBodySchema>;

/** POST /v1/auth/change-email */
export const changeEmailBodySchema = z
  .strictObject({ current_password: currentPasswordSchema, new_email: emailSchema })
  .meta({ id: 'ChangeEmail' });
export type ChangeEmailBody = z.output<typeof changeEmailBodySchema>;

/** POST /v1/account/delete */
export const deleteAccountBodySchema = z
  .strictObject({
    current_password: currentPasswordSchema,
    email: loginEmailSchema.meta({
      description: 'The email of the account, to confirm which one is deleted.',
    }),
  })
  .meta({ id: 'DeleteAccount' });
export type DeleteAccountBody = z.output<typeof deleteAccountBodySchema>;

/** POST /v1/auth/confirm-email */
export const confirmEmailBodySchema = z.strictObject({ token: linkTokenSchema }).meta({ id: 'ConfirmEmail' });
export type ConfirmEmailBody = z.output<typeof confirmEmailBodySchema>;

/** The result of a confirmation. */
export const confirmedEmailViewSchema = z
  .object({
    changed: z.boolean().meta({ description: 'false while the other address has not confirmed yet.' }),
  })
  .meta({ id: 'ConfirmedEmail' });
export type ConfirmedEmailView = z.infer<typeof confirmedEmailViewSchema>;

/** The response of operations without further data, and of every registration. */
export const doneViewSchema = z.object({ ok: z.literal(true) }).meta({ id: 'Done' });
export type DoneView = z.infer<typeof doneViewSchema>;

/** A new session. */
export const sessionViewSchema = z
  .object({
    session_token: z.string().meta({ description: 'Send it as `Authorization: Bearer …`.' }),
    expires_at: timestampSchema,
  })
  .meta({ id: 'Session' });
export type SessionView = z.infer<typeof sessionViewSchema>;
