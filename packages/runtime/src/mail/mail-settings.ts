import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import { ConfigError, variable } from '../process/config.ts';

/** One address, with or without a name in front: `Paywatch <no-reply@pay.example>`. */
const MAILBOX = /^(?:[^<>\r\n]*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/;

/** Read by every process that sends mail. */
export const mailVariables = {
  MAIL_URL: variable
    .url(['smtp:', 'smtps:'])
    .optional()
    .describe(
      'SMTP server, for example `smtps://user:password@mail.example:465`. `smtp://` requires STARTTLS, except on this machine. Unset: no mail is sent.',
    ),
  MAIL_FROM: z
    .string()
    .regex(MAILBOX, { error: 'must be an email address, or a name and <address>' })
    .optional()
    .describe('Sender of mails, for example `Paywatch <no-reply@pay.example>`. Required with `MAIL_URL`.'),
  MAIL_CA: z
    .string()
    .optional()
    .describe('PEM of one more authority that the certificate of the SMTP server may come from.'),
};

/** Where mail is sent, and from which address. */
export type MailSettings = {
  readonly url: string;
  readonly from: string;
  /** The domain of `from`, for Message-IDs. */
  readonly domain: string;
  readonly ca: string | null;
};

/** Null without MAIL_URL. Throws ConfigError. */
export function parseMailSettings(env: z.infer<z.ZodObject<typeof mailVariables>>): MailSettings | null {
  const { MAIL_URL: url, MAIL_FROM: from, MAIL_CA: ca = null } = env;
  if (url === undefined) return null;
  if (from === undefined) throw new ConfigError(['MAIL_FROM: is required with MAIL_URL']);
  assertCertificate(ca);
  return { url, from, domain: domainOf(from), ca };
}

function domainOf(from: string): string {
  const [, named, plain] = MAILBOX.exec(from) ?? [];
  return (named ?? plain ?? '').split('@')[1] ?? '';
}

function assertCertificate(pem: string | null): void {
  if (pem === null) return;
  try {
    createSecureContext({ ca: pem });
  } catch (error) {
    throw new ConfigError([`MAIL_CA: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
