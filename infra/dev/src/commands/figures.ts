/** The bound of a figure. */
export type Bound = { atMost: number } | { atLeast: number };

/** One measured number. `reach` is the promised bound, `aim` the next goal; without a bound it is only printed. */
export type Figure = { name: string; value: number; reach?: Bound; aim?: Bound };

/** Prints figures that a test measured, in the table format of the measurements. */
export function printFigures(figures: readonly Figure[]): void {
  console.info(formatFigures(figures));
}

/** Whether the figure is within `reach`; true without a bound. */
function isReached({ value, reach }: Figure): boolean {
  return reach === undefined || isWithin(value, reach);
}

function isWithin(value: number, bound: Bound): boolean {
  return 'atMost' in bound ? value <= bound.atMost : value >= bound.atLeast;
}

/** Formats a table with one line per figure: name, value, reach and aim. */
export function formatFigures(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'value', 'reach', 'aim', ''],
    ...figures.map((figure) => [
      figure.name,
      formatValue(figure.value),
      formatBound(figure.reach),
      formatBound(figure.aim),
      isReached(figure) ? '' : '← missed',
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => pad(cell, column, widths[column] ?? 0)).join('  '))
    .map((line) => `  ${line.trimEnd()}`)
    .join('\n');
}

/** Numbers are right-aligned. */
function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

function formatValue(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en-US') : value.toPrecision(3);
}

function formatBound(bound: Bound | undefined): string {
  if (bound === undefined) return '';
  return 'atMost' in bound ? `≤ ${formatValue(bound.atMost)}` : `≥ ${formatValue(bound.atLeast)}`;
}
