/** A row of CSV as in RFC 4180, with cells that no spreadsheet runs as a formula. Pure. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Spreadsheets run a cell that begins with one of these characters as a formula; what donors and shops write may begin so. */
const FORMULA = /^[=+\-@\t\r]/;

function csvCell(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
