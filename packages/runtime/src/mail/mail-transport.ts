import { createTransport, type NodemailerError } from 'nodemailer';
import { getCACertificates } from 'node:tls';
import { withTimeout } from '../process/with-timeout.ts';
import type { MailSettings } from './mail-settings.ts';

/** A mail as the recipient gets it. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The local part of the Message-ID. */
  messageId: string;
};

/** Sends mail over SMTP, with a few connections that stay open. */
export type MailTransport = {
  /** Resolves when the server has accepted the mail. Throws MailError. */
  send(mail: Mail): Promise<void>;
  /** Connects and logs in, without sending anything. Throws MailError. */
  verify(): Promise<void>;
  close(): void;
};

/**
 * Why a mail was not accepted. Contains no text of the server, because that repeats addresses: `code` is that of nodemailer,
 * `status` the SMTP status, if the server answered.
 */
export class MailError extends Error {
  override name = 'MailError';
  readonly code: string;
  readonly status: number | null;

  constructor(code: string, status: number | null) {
    super(`mail not accepted: ${code}${status === null ? '' : `, SMTP status ${status}`}`);
    this.code = code;
    this.status = status;
  }

  /** Whether the server will never accept this mail: it refuses the recipient or the text, for good (5xx). */
  get isPermanent(): boolean {
    return this.status !== null && this.status >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(this.code);
  }
}

const CONNECT_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 20_000;
/** Longer than a slow server needs, shorter than a worker's claim. */
const SEND_TIMEOUT_MS = 60_000;

/** Opens no connection before the first mail. */
export function createMailTransport({ url, from, domain, ca }: MailSettings): MailTransport {
  const transport = createTransport(
    {
      url,
      pool: true,
      requireTLS: !isThisMachine(url),
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(ca === null ? {} : { tls: { ca: [...getCACertificates('default'), ca] } }),
    },
    // Receivers send no automatic replies to such a mail (RFC 3834).
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  );
  return {
    send: ({ messageId, ...mail }) =>
      inTime(transport.sendMail({ ...mail, messageId: `<${messageId}@${domain}>` })),
    verify: () => inTime(transport.verify()),
    close: () => transport.close(),
  };
}

function isThisMachine(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}

async function inTime(sending: Promise<unknown>): Promise<void> {
  try {
    await withTimeout(sending, SEND_TIMEOUT_MS, () => {
      throw new MailError('ETIMEDOUT', null);
    });
  } catch (error) {
    if (error instanceof MailError) throw error;
    const { code = 'EUNKNOWN', responseCode = null } = error as Partial<NodemailerError>;
    throw new MailError(code, responseCode);
  }
}
