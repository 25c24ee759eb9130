import type { ComponentChildren } from 'preact';

type TableProps<Row> = {
  /** The table's name for screen readers. */
  label: string;
  /** The header of each column and the function that renders its cells. */
  columns: readonly (readonly [head: string, cell: (row: Row) => ComponentChildren])[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  testId: string;
};

/** A table that becomes cards on a phone. Each cell holds its column header, which the style sheet shows there. */
export function Table<Row>({ label, columns, rows, keyOf, testId }: TableProps<Row>) {
  return (
    <table class="table" aria-label={label} data-testid={testId}>
      <thead>
        <tr>
          {columns.map(([head]) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(([head, cell]) => (
              <td key={head} data-head={head}>
                <div class="table__cell">{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
