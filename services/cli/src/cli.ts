import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './commands/accounts.ts';
import { addChainCommands } from './commands/chain.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDeliveryCommands } from './commands/deliveries.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommands } from './commands/events.ts';
import { addInvoiceCommands } from './commands/invoices.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOrderCommands } from './commands/orders.ts';
import { addPoolCommands } from './commands/pools.ts';
import { addSubscriptionCommands } from './commands/subscriptions.ts';
import { addWalletCommands } from './commands/wallets.ts';
import { explainFailure } from './failure.ts';
import { examples } from './help.ts';
import { createCommandLine, type CommandLine, type Surroundings } from './command-line.ts';
import manifest from '../package.json' with { type: 'json' };

/** 0: done. 1: it could not be done, or `doctor` found a fault. 2: the command was not understood. */
type ExitCode = 0 | 1 | 2;

/** Runs one command of the operator's command line. Resolves with the exit code; never rejects. */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const line = createCommandLine(surroundings, args);
  try {
    await createProgram(line, surroundings).parseAsync(args, { from: 'user' });
    return line.hasFailed() ? 1 : 0;
  } catch (error) {
    // Commander has told what was wrong already, or has shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    line.printFailure(explainFailure(error));
    return 1;
  }
}

/** The table of contents of the command line: help, completion and parsing all come from it. */
export function createProgram(line: CommandLine, { stdout, stderr }: Surroundings): Command {
  const program = new Command('paywatch')
    .description('Operates a Paywatch deployment: reads its environment variables and talks to its servers.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help for the command')
    .option('--json', 'print one JSON document, for programs')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text) =>
        line.printFailure({ message: text.replace(/^error: /, '').trim(), advice: null }),
    })
    .exitOverride()
    .addHelpText(
      'after',
      examples([
        ['paywatch doctor', 'is everything there, and what to do about what is not'],
        ['paywatch migrate', 'bring the schema up to date; safe to repeat'],
        ['paywatch subscriptions grant shop@example.com --days 30', 'let an account create invoices'],
        ['paywatch accounts list --json', 'for programs'],
      ]) + '\nExit codes: 0 done, 1 failed, 2 not understood.\n',
    );
  addMigrateCommand(program, line);
  addDoctorCommand(program, line);
  addAccountCommands(program, line);
  addSubscriptionCommands(program, line);
  addInvoiceCommands(program, line);
  addOrderCommands(program, line);
  addWalletCommands(program, line);
  addPoolCommands(program, line);
  addEventCommands(program, line);
  addDeliveryCommands(program, line);
  addChainCommands(program, line);
  addKeyCommands(program, line);
  addCompletionCommand(program, line);
  return program;
}
