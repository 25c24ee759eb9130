/** A row of CSV as in RFC 4180, with cells that no spreadsheet runs as a formula. Pure. */
export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/**
 * Where a spreadsheet may begin a formula: at the start of a cell, also behind spaces, and behind a semicolon. Spreadsheets in languages
 * with decimal commas, German among them, split lines there, whatever the quotes. The wide forms run in East Asian ones.
 */
const FORMULA = /(^|;)(["\s]*)(?=[=+\-@\t\r＝＋－＠])/gu;

function csvCell(text: string): string {
  const inert = text.replace(FORMULA, "$1'$2");
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
