import type { AuditLineView } from '@paywatch/domain/contract';
import { csvRow } from '../exports/csv.ts';

/** How lines of the audit log are written to a file. Pure. */
export type AuditFile = { type: string; head: string; write: (line: AuditLineView) => string };

const COLUMNS = ['at', 'action', 'actor_type', 'actor', 'ip', 'details', 'before', 'after'];

/** The formats of an export: CSV as in RFC 4180, and one JSON object a line. */
export const AUDIT_FILES: Readonly<Record<'csv' | 'jsonl', AuditFile>> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvRow(COLUMNS),
    write: (line) => csvRow(cellsOf(line)),
  },
  jsonl: { type: 'application/jsonl', head: '', write: (line) => `${JSON.stringify(line)}\n` },
};

function cellsOf({ at, action, actor, ip, details, before, after }: AuditLineView): string[] {
  const values = [details, before, after].map((value) => (value === null ? '' : JSON.stringify(value)));
  return [at, action, actor.type, actor.name ?? '', ip ?? '', ...values];
}
