import { failed, ok, warning, type Finding } from '@paywatch/domain/deployment';
import { createMailTransport, MailError, type MailSettings } from '@paywatch/runtime/mail';
import { readMailConfig, type Env } from '../config.ts';
import { attempt } from './attempt.ts';

const CHECK = 'Mail';

/** Checks that the SMTP server accepts a login; sends nothing. Never rejects. */
export function checkMail(env: Env): Promise<Finding> {
  return attempt(CHECK, 'Set MAIL_URL and MAIL_FROM to the values of the webhook workers.', async () => {
    const settings = readMailConfig(env);
    if (settings !== null) return connect(settings);
    return warning(
      CHECK,
      'MAIL_URL is not set: owners cannot verify an address or reset a password by mail, and get no notices',
      'Set MAIL_URL and MAIL_FROM.',
    );
  });
}

async function connect(settings: MailSettings): Promise<Finding> {
  const transport = createMailTransport(settings);
  const { host } = new URL(settings.url);
  try {
    await transport.verify();
    return ok(CHECK, `${host} accepts mail from ${settings.from}`);
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return failed(
      CHECK,
      `${host}: ${error.message}`,
      ADVICE[error.code] ?? 'Check the host and port of MAIL_URL.',
    );
  } finally {
    transport.close();
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EAUTH: 'Check the user and password of MAIL_URL; characters such as @ must be percent-encoded.',
  ETLS: 'Use a server with STARTTLS, or smtps://. MAIL_CA names the authority of a private certificate.',
  ESOCKET: 'Check the host and port of MAIL_URL. MAIL_CA names the authority of a private certificate.',
};
