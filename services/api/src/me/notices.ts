import { NOTICE_KINDS, type NoticeKind, type NoticesView } from '@paywatch/domain/contract';
import {
  byCredential,
  changeNoticeSettings,
  readNoticeSettings,
  type NoticeSettings,
} from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';

/** Which notices the caller gets by mail. */
export function getNotices({ store }: Dependencies): OperationHandler<'getNotices'> {
  return async ({ caller }) => ({
    status: 200,
    body: noticesView(await readNoticeSettings(store, caller.accountId)),
  });
}

/** Changes which notices the caller gets. */
export function updateNotices({ store }: Dependencies): OperationHandler<'updateNotices'> {
  return async ({ caller, body, context }) => {
    const authorize = byCredential(caller, context.address);
    const settings = await changeNoticeSettings(store, authorize, caller.accountId, body);
    return { status: 200, body: noticesView(settings) };
  };
}

/** The choice of notices as the API shows it. */
export function noticesView({ language, muted }: NoticeSettings): NoticesView {
  const choice = Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, !muted.includes(kind)]));
  return { language, ...(choice as Record<NoticeKind, boolean>) };
}
