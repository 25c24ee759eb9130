import { NOTICE_KINDS, type MailLanguage, type NoticeKind } from '@paywatch/domain/contract';
import { queueNotice } from '../mails/queue-notice.ts';
import { inTransaction, type AnySql } from '../postgres/database.ts';
import type { Store } from '../store.ts';
import type { Authorize } from './authorize.ts';
import { lockAccount } from './lock-account.ts';

/** Which notices an owner gets by mail, and in which language. */
export type NoticeSettings = { language: MailLanguage; muted: readonly NoticeKind[] };

/** Throws if there is no such account. */
export async function readNoticeSettings(
  { sql }: { sql: AnySql },
  accountId: bigint,
): Promise<NoticeSettings> {
  const [row] = await sql<NoticeSettings[]>`
    select language, muted_notices as muted from accounts where id = ${accountId}`;
  if (!row) throw new Error(`account ${accountId} not found`);
  return row;
}

/** A change: absent kinds keep their setting. */
export type NoticeChange = { language?: MailLanguage | undefined } & {
  [Kind in NoticeKind]?: boolean | undefined;
};

/**
 * Changes the settings. A changed choice is mailed to the owner, and this mail cannot be switched off: otherwise a thief could
 * silence the notices first.
 */
export async function changeNoticeSettings(
  store: Pick<Store, 'sql'>,
  authorize: Authorize,
  accountId: bigint,
  { language, ...choice }: NoticeChange,
): Promise<NoticeSettings> {
  return inTransaction(store, async (tx) => {
    await lockAccount(tx, accountId);
    await authorize(tx);
    const before = await readNoticeSettings({ sql: tx }, accountId);
    const muted = NOTICE_KINDS.filter((kind) => !(choice[kind] ?? !before.muted.includes(kind)));
    const after = { language: language ?? before.language, muted };
    await tx`
      update accounts set language = ${after.language}, muted_notices = ${muted} where id = ${accountId}`;
    const isChanged = muted.join() !== NOTICE_KINDS.filter((kind) => before.muted.includes(kind)).join();
    if (isChanged) await queueNotice(tx, { accountId }, { kind: 'notices_changed' });
    return after;
  });
}
