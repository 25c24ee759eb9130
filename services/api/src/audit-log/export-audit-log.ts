import { readAuditLines, type AuditLine } from '@paywatch/store/accounts';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dependencies } from '../dependencies.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { AUDIT_FILES, type AuditFile } from './audit-files.ts';
import { auditFilterOf, auditLineView } from './audit-line-view.ts';

/**
 * Streams the audit log as a file, page by page. An error before the first page is a problem response; a later one closes the
 * connection, so that an incomplete file does not look complete.
 */
export function exportAuditLog({ store }: Dependencies): StreamHandler<'exportAuditLog'> {
  return async ({ caller, query: { format, ...filter } }, _request, response) => {
    const pages = readAuditLines(store, caller, auditFilterOf(filter));
    const first = await pages.next();
    const file = AUDIT_FILES[format];
    response.setHeader('Content-Type', file.type);
    response.setHeader('Content-Disposition', `attachment; filename="paywatch-audit-log.${format}"`);
    try {
      await pipeline(Readable.from(writeFile(file, first, pages)), response);
    } catch (error) {
      if (!isClientGone(error)) throw error;
    }
  };
}

async function* writeFile(
  { head, write }: AuditFile,
  first: IteratorResult<readonly AuditLine[], unknown>,
  pages: AsyncIterator<readonly AuditLine[]>,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  for (let page = first; page.done !== true; page = await pages.next())
    yield page.value.map((line) => write(auditLineView(line))).join('');
}

function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
