/** The part of a help text that shows how a command is used: each command line and what it is for. */
export function examples(lines: readonly (readonly [command: string, purpose: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, purpose]) => `  ${command.padEnd(width)}   ${purpose}\n`).join('')}`;
}
