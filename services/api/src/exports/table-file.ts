import { csvRow } from './csv.ts';

/** The columns of a table by name, in order: how each cell follows from a row. Null is an empty cell. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | boolean | null>>;

/** How the rows of a table are written: CSV with a head, or one JSON object of the same columns a line. Pure. */
export function tableFile<Row>(format: 'csv' | 'jsonl', columns: Columns<Row>) {
  const cells = Object.entries(columns);
  if (format === 'csv')
    return {
      extension: 'csv',
      type: 'text/csv; charset=utf-8',
      head: csvRow(cells.map(([name]) => name)),
      write: (row: Row) => csvRow(cells.map(([, cell]) => String(cell(row) ?? ''))),
    };
  return {
    extension: 'jsonl',
    type: 'application/jsonl',
    head: '',
    write: (row: Row) =>
      `${JSON.stringify(Object.fromEntries(cells.map(([name, cell]) => [name, cell(row)])))}\n`,
  };
}
