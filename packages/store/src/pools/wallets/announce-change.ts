import { AppError } from '@paywatch/domain/requests';
import type { MailData } from '../../mails/mail-kinds.ts';
import { queueProjectMail } from '../../mails/queue-notice.ts';
import type { TransactionSql } from '../../postgres/database.ts';

const UNANNOUNCED =
  'So many changes of wallets were announced by mail lately that this one would not be. Try again in an hour.';

/** Queues the mail of a change that waits. Throws AppError `rate_limited` if the owner gets no more of them now. */
export async function announceChange(tx: TransactionSql, projectId: bigint, data: MailData): Promise<void> {
  if (!(await queueProjectMail(tx, projectId, { kind: 'wallet_change_pending', data })))
    throw new AppError('rate_limited', UNANNOUNCED, { retryAfterSeconds: 3600 });
}
