import type { AuditLineView } from '@paywatch/domain/contract';

/** How lines of the audit log are written to a file. Pure. */
export type AuditFile = { type: string; head: string; write: (line: AuditLineView) => string };

const COLUMNS = ['at', 'action', 'actor_type', 'actor', 'ip', 'details', 'before', 'after'];

/** The formats of an export: CSV as in RFC 4180, and one JSON object a line. */
export const AUDIT_FILES: Readonly<Record<'csv' | 'jsonl', AuditFile>> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: `${COLUMNS.join(',')}\r\n`,
    write: (line) => csvRow(cellsOf(line)),
  },
  jsonl: { type: 'application/jsonl', head: '', write: (line) => `${JSON.stringify(line)}\n` },
};

function cellsOf({ at, action, actor, ip, details, before, after }: AuditLineView): string[] {
  const values = [details, before, after].map((value) => (value === null ? '' : JSON.stringify(value)));
  return [at, action, actor.type, actor.name ?? '', ip ?? '', ...values];
}

function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Spreadsheets run a cell that begins with one of these characters as a formula; an email may begin with three of them. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
