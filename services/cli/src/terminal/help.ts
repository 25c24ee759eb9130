/** Formats the examples section of a help text. */
export function examples(lines: readonly (readonly [command: string, purpose: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, purpose]) => `  ${command.padEnd(width)}   ${purpose}\n`).join('')}`;
}
