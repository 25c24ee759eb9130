import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './commands/accounts/accounts.ts';
import { addChainCommands } from './commands/chain/chain.ts';
import { addCompletionCommand } from './commands/completion.ts';
import { addDeliveryCommands } from './commands/webhooks/deliveries.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommands } from './commands/webhooks/events.ts';
import { addHelpCommand, commandAt } from './commands/help.ts';
import { addInvoiceCommands } from './commands/invoices/invoices.ts';
import { addKeyCommands } from './commands/accounts/keys.ts';
import { addAuditCommands } from './commands/accounts/audit.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOrderCommands } from './commands/invoices/orders.ts';
import { addPaymentCommands } from './commands/invoices/payments.ts';
import { addPoolCommands } from './commands/wallets/pools.ts';
import { addReconcileCommand } from './commands/chain/reconcile.ts';
import { addSubscriptionCommands } from './commands/accounts/subscriptions.ts';
import { addWalletCommands } from './commands/wallets/wallets.ts';
import { explainFailure, UsageFailure, type Failure } from './terminal/failure.ts';
import { examples } from './terminal/help.ts';
import { createCommandLine, type CommandLine, type Surroundings } from './terminal/command-line.ts';
import manifest from '../package.json' with { type: 'json' };

/** 0: done. 1: it could not be done, or `doctor` or `reconcile` found a fault. 2: the command was not understood. */
type ExitCode = 0 | 1 | 2;

/** Runs one command of the operator's command line. Resolves with the exit code; never rejects. */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const line = createCommandLine(surroundings, args);
  const program = createProgram(line, surroundings);
  try {
    await program.parseAsync(args, { from: 'user' });
    return line.hasFailed() ? 1 : 0;
  } catch (error) {
    const isUsage = error instanceof CommanderError || error instanceof UsageFailure;
    // Help or the version has been shown: as asked for, or to a person who named a group and no command.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!isHelp(error) || line.isJson)
      line.printFailure(isUsage ? explainUsage(error, program, args) : explainFailure(error));
    return isUsage ? 2 : 1;
  }
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help';
}

/** What was not understood, and where to read on. */
function explainUsage(error: Error, program: Command, args: readonly string[]): Failure {
  const words = args.filter((word) => !word.startsWith('-') && word !== 'help');
  const known = words.slice(0, commandAt(program, words).depth);
  return {
    message: isHelp(error)
      ? 'A command is missing.'
      : error.message.replace(/^error: (command-argument )?/, ''),
    advice: `See \`${['paywatch', ...known, '--help'].join(' ')}\`.`,
  };
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
      writeErr: (text) => void (line.isJson || stderr.write(text)),
      // Told when the run has ended, with what to do.
      outputError: () => undefined,
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
  addAuditCommands(program, line);
  addDoctorCommand(program, line);
  addAccountCommands(program, line);
  addSubscriptionCommands(program, line);
  addInvoiceCommands(program, line);
  addOrderCommands(program, line);
  addWalletCommands(program, line);
  addPaymentCommands(program, line);
  addPoolCommands(program, line);
  addEventCommands(program, line);
  addDeliveryCommands(program, line);
  addChainCommands(program, line);
  addReconcileCommand(program, line);
  addKeyCommands(program, line);
  addCompletionCommand(program, line);
  addHelpCommand(program);
  return program;
}
