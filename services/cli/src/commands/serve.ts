import type { Command } from 'commander';
import type { CommandLine } from '../terminal/command-line.ts';
import { examples } from '../terminal/help.ts';

/** `paywatch serve` */
export function addServeCommand(program: Command, line: CommandLine): void {
  program
    .command('serve')
    .description('run the API, a watcher, a webhook worker and mail in one process')
    .addHelpText(
      'after',
      examples([['paywatch serve', 'all of Paywatch for a small shop; ends on SIGTERM']]) +
        `
Reads the variables of all services. Run \`paywatch migrate\` first. Services started beside it share the work.
`,
    )
    .action(async () => {
      // Imported on demand: no other command needs the services.
      const { startServe } = await import('@paywatch/serve');
      await startServe(line.env);
    });
}
