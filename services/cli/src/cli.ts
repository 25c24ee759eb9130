import { Command, CommanderError } from 'commander';
import { addAccountCommands } from './commands/accounts/accounts.ts';
import { addChainCommands } from './commands/chain/chain.ts';
import { addDeliveryCommands } from './commands/webhooks/deliveries.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommands } from './commands/webhooks/events.ts';
import { addHelpCommand, commandAt } from './commands/help.ts';
import { addInitCommand } from './commands/init.ts';
import { addInvoiceCommands } from './commands/invoices/invoices.ts';
import { addInstallCommand } from './commands/server/install.ts';
import { addKeyCommands } from './commands/accounts/keys.ts';
import { addAuditCommands } from './commands/accounts/audit.ts';
import { addMigrateCommand } from './commands/migrate.ts';
import { addOrderCommands } from './commands/invoices/orders.ts';
import { addPaymentCommands } from './commands/invoices/payments.ts';
import { addPoolCommands } from './commands/wallets/pools.ts';
import { addReconcileCommand } from './commands/chain/reconcile.ts';
import { addServeCommand } from './commands/serve.ts';
import { addStatusCommand } from './commands/status.ts';
import { addSubscriptionCommands } from './commands/accounts/subscriptions.ts';
import { addUninstallCommand } from './commands/server/uninstall.ts';
import { addUpgradeCommand } from './commands/server/upgrade.ts';
import { addWalletCommands } from './commands/wallets/wallets.ts';
import { explainFailure, UsageFailure, type Failure } from './terminal/failure.ts';
import { examples } from './terminal/help.ts';
import { createCommandLine, type CommandLine, type ProcessIo } from './terminal/command-line.ts';
import manifest from '../package.json' with { type: 'json' };

/** 0: success. 1: the command failed, or `doctor` or `reconcile` found a problem. 2: invalid usage. */
type ExitCode = 0 | 1 | 2;

/** Runs one command. Resolves to the exit code; never rejects. */
export async function runCli(args: readonly string[], io: ProcessIo): Promise<ExitCode> {
  const line = createCommandLine(io, args);
  const program = createProgram(line, io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return line.hasFailed() ? 1 : 0;
  } catch (error) {
    const isUsage = error instanceof CommanderError || error instanceof UsageFailure;
    // commander throws after it has printed help or the version.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!isHelp(error) || line.isJson)
      line.printFailure(isUsage ? explainUsage(error, program, args) : explainFailure(error));
    return isUsage ? 2 : 1;
  }
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.code === 'commander.help';
}

/** Describes a usage error and names the help to read. */
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

/** Builds the command tree. */
export function createProgram(line: CommandLine, { stdout, stderr }: ProcessIo): Command {
  const program = new Command('paywatch')
    .description('Manage a Paywatch deployment. Uses its environment variables and its servers.')
    .version(manifest.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help for the command')
    .option('--json', 'print one JSON document')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void (line.isJson || stderr.write(text)),
      // Errors are printed at the end, with advice.
      outputError: () => undefined,
    })
    .exitOverride()
    .addHelpText(
      'after',
      examples([
        ['paywatch doctor', 'check servers and settings, with advice'],
        ['paywatch migrate', 'update the database schema; safe to repeat'],
        ['paywatch subscriptions grant shop@example.com --days 30', 'allow an account to create invoices'],
        ['paywatch accounts list --json', 'output for scripts'],
      ]) + '\nExit codes: 0 success, 1 failure, 2 invalid usage.\n',
    );
  addInitCommand(program, line);
  addServeCommand(program, line);
  addMigrateCommand(program, line);
  addAuditCommands(program, line);
  addStatusCommand(program, line);
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
  addInstallCommand(program, line);
  addUpgradeCommand(program, line);
  addUninstallCommand(program, line);
  addHelpCommand(program);
  return program;
}
