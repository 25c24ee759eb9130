import { stripVTControlCharacters } from 'node:util';

/** What a cell may hold; null and the empty text are shown as a dash. */
export type Cell = string | number | bigint | boolean | Date | null;

/** A table for people, its columns as wide as they need; `empty` stands in for one without rows. */
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

/** Names and values below each other. */
export function fields(entries: readonly (readonly [name: string, value: Cell])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${shown(value)}`).join('\n');
}

/** Blocks of lines with an empty line between them; those that are empty are left out. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** A moment for people: UTC, to the second, in a form that options take. */
export function shownMoment(moment: Date): string {
  return moment.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Donors and merchants wrote some of these texts: nothing of them may move the cursor or colour the screen. */
export function shown(value: Cell): string {
  if (value === null || value === '') return '-';
  if (value instanceof Date) return shownMoment(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return stripVTControlCharacters(String(value)).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ');
}

/** An endpoint's URL without what stands behind the path: some merchants keep a secret of their own in it. */
export function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}
