import { listAuditLines } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import type { OperationHandler } from '../operation-handler.ts';
import { pageOf, unknownCursor } from '../page.ts';
import { auditFilterOf, auditLineView } from './audit-line-view.ts';

/** The audit log of the caller's account and project, newest first, by filter. */
export function listAuditLog({ store }: Dependencies): OperationHandler<'listAuditLog'> {
  return async ({ caller, query: { limit, cursor, ...filter } }) => {
    if (cursor !== undefined && !UUID.test(cursor)) throw unknownCursor();
    const page = { limit: limit + 1, after: cursor ?? null };
    const lines = await listAuditLines(store, caller, auditFilterOf(filter), page);
    if (lines === null) throw unknownCursor();
    return { status: 200, body: pageOf(lines.map(auditLineView), limit, ({ id }) => id) };
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
