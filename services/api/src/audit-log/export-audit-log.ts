import { readAuditLines } from '@paywatch/store/accounts';
import type { Dependencies } from '../dependencies.ts';
import { streamFile } from '../exports/stream-file.ts';
import type { StreamHandler } from '../operation-handler.ts';
import { AUDIT_FILES } from './audit-files.ts';
import { auditFilterOf, auditLineView } from './audit-line-view.ts';

/** Streams the audit log as a file, page by page. */
export function exportAuditLog({ store }: Dependencies): StreamHandler<'exportAuditLog'> {
  return async ({ caller, query: { format, ...filter } }, _request, response) => {
    const pages = readAuditLines(store, caller, auditFilterOf(filter));
    const { write, ...file } = AUDIT_FILES[format];
    await streamFile(response, {
      name: 'paywatch-audit-log',
      extension: format,
      ...file,
      pages,
      write: (line) => write(auditLineView(line)),
    });
  };
}
