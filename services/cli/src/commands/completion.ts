import { Argument, type Command } from 'commander';
import type { CommandLine } from '../terminal/command-line.ts';
import { completionScript, SHELLS, type Shell } from '../terminal/completion-script.ts';
import { examples } from '../terminal/help.ts';

/** `paywatch completion` */
export function addCompletionCommand(program: Command, line: CommandLine): void {
  program
    .command('completion')
    .description('print what completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices(SHELLS))
    .addHelpText(
      'after',
      examples([
        ['paywatch completion bash > /etc/bash_completion.d/paywatch', 'for everybody'],
        ['paywatch completion zsh > "${fpath[1]}/_paywatch"', 'zsh; then start a new one'],
        ['paywatch completion fish > ~/.config/fish/completions/paywatch.fish', 'fish'],
      ]),
    )
    .action(
      line.action(async (shell: Shell) => {
        const script = completionScript(program, shell);
        return { json: { shell, script }, text: script.trimEnd() };
      }),
    );
}
