/** The lines of `paywatch doctor` about checks that it does not call ok, without its advice. Throws if it checked nothing. */
export function findingsOf(report: string): string[] {
  const lines = report.split('\n').filter((line) => /^\w+ +\S.*: /.test(line));
  if (lines.length === 0) throw new Error(`the doctor checked nothing: ${report}`);
  return lines.filter((line) => !line.startsWith('ok '));
}
