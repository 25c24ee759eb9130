import { MailError, type MailTransport } from '@paywatch/runtime/mail';
import type { Counter, Logger } from '@paywatch/runtime/observability';
import { randomFraction, randomToken, sha256 } from '@paywatch/runtime/security';
import type { Store } from '@paywatch/store';
import {
  claimMail,
  prepareMail,
  recordMailOutcome,
  type ClaimedMail,
  type MailOutcome,
} from '@paywatch/store/mails';
import { composeMail } from './compose-mail.ts';

export type MailAttemptDeps = {
  store: Store;
  transport: MailTransport;
  logger: Logger;
  attempts: Counter<'outcome'>;
  publicUrl: string;
};

/** Longer than the transport's timeout: a mail must not be claimed again while it is being sent. */
const CLAIM_SECONDS = 120;

/**
 * Makes at most one attempt to send a mail. Safe to run twice at once, late, or for a mail that has ended: the claim in Postgres
 * decides. If the process dies after the server accepted the mail, it is sent again with the same Message-ID.
 */
export async function attemptMail(deps: MailAttemptDeps, id: bigint): Promise<void> {
  const mail = await claimMail(deps.store, id, CLAIM_SECONDS);
  if (mail === null) return;
  const outcome = await send(deps, mail);
  await recordMailOutcome(deps.store, mail, outcome);
  deps.attempts.inc({ outcome: outcome.kind });
  deps.logger.debug({ mail_id: String(id), kind: mail.kind, outcome: outcome.kind }, 'mail attempted');
}

async function send(
  { store, transport, logger, publicUrl }: MailAttemptDeps,
  mail: ClaimedMail,
): Promise<MailOutcome> {
  if (mail.isExpired) return { kind: 'failed' };
  const token = randomToken(32);
  const prepared = await prepareMail(store, mail, sha256(token));
  if (prepared === null) return { kind: 'dropped' };
  try {
    const { language, hasLink, data } = prepared;
    await transport.send(
      composeMail({ ...mail, data }, { language, token: hasLink ? token : null, publicUrl }),
    );
    return { kind: 'sent' };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    const { code, status, isPermanent } = error;
    logger.warn({ mail_id: String(mail.id), kind: mail.kind, code, status }, 'mail not accepted');
    return isPermanent ? { kind: 'failed' } : { kind: 'retry', delaySeconds: retryDelaySeconds(mail.claim) };
  }
}

/** Seconds until the next attempt after this one, with jitter. A mail with a link expires after the sixth. */
const DELAYS = [10, 30, 60, 180, 600, 1800, 7200];

function retryDelaySeconds(attempt: number): number {
  const delay = DELAYS[Math.min(attempt, DELAYS.length) - 1] ?? 10;
  return delay * (1 + randomFraction() / 4);
}
