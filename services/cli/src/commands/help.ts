import type { Command } from 'commander';
import { examples } from '../terminal/help.ts';

/** `paywatch help …` for a command at any depth; commander's own help command supports only the first level. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('print help for a command')
    .argument('[command...]', 'command or command group')
    .addHelpText(
      'after',
      examples([['paywatch help accounts show', 'same as `paywatch accounts show --help`']]),
    )
    .action((words: readonly string[]) => {
      const found = commandAt(program, words);
      const [unknown] = words.slice(found.depth);
      if (unknown !== undefined) program.error(`error: unknown command '${unknown}'`);
      found.command.outputHelp();
    });
}

/** Finds the command that the first words name; `depth` is the number of words used. */
export function commandAt(program: Command, words: readonly string[]): { command: Command; depth: number } {
  let command = program;
  for (const [depth, word] of words.entries()) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) return { command, depth };
    command = child;
  }
  return { command, depth: words.length };
}
