import { stripVTControlCharacters } from 'node:util';

/** Content of a cell. Null and the empty string are shown as a dash. */
export type Cell = string | number | bigint | boolean | Date | null;

/** Formats a table; returns `empty` if there are no rows. */
export function table(headers: readonly string[], rows: readonly (readonly Cell[])[], empty: string): string {
  if (rows.length === 0) return empty;
  const lines = [headers, ...rows.map((row) => row.map(shown))];
  const widths = headers.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Formats names and values, one pair per line. */
export function fields(entries: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${shown(value)}`).join('\n');
}

/** Joins the non-empty blocks with an empty line between them. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Formats a time in UTC with seconds, as options accept it. */
export function shownMoment(moment: Date): string {
  return moment.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Formats a cell. Removes control characters: donors and merchants wrote some of these texts. */
export function shown(value: Cell): string {
  if (value === null || value === '') return '-';
  if (value instanceof Date) return shownMoment(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return stripVTControlCharacters(String(value)).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}
