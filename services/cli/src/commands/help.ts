import type { Command } from 'commander';
import { examples } from '../terminal/help.ts';

/** `paywatch help …`, of a command at any depth; that of commander knows groups alone. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('print help for a command')
    .argument('[command...]', 'a command, or a group of them')
    .addHelpText(
      'after',
      examples([['paywatch help accounts show', 'the same as `paywatch accounts show --help`']]),
    )
    .action((words: readonly string[]) => {
      const found = commandAt(program, words);
      const [unknown] = words.slice(found.depth);
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      found.command.outputHelp();
    });
}

/** The command that the first words name, and how many of them did. */
export function commandAt(program: Command, words: readonly string[]): { command: Command; depth: number } {
  let command = program;
  for (const [depth, word] of words.entries()) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) return { command, depth };
    command = child;
  }
  return { command, depth: words.length };
}
