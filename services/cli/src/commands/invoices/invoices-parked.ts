import { publicIdSchema } from '@paywatch/domain/contract';
import { byOperator } from '@paywatch/store/accounts';
import {
  listParkedInvoices,
  retryAllParkedInvoices,
  retryParkedInvoice,
  type ParkedInvoice,
} from '@paywatch/store/invoices';
import type { Database } from '@paywatch/store/postgres';
import { Argument, InvalidArgumentError, type Command } from 'commander';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, type Env } from '../../config.ts';
import { CommandFailure, UsageFailure } from '../../terminal/failure.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { table } from '../../terminal/text.ts';

/** A longer list has one cause, such as a faulty release. */
const MAX_LISTED = 500;

/** `paywatch invoices parked` and `paywatch invoices unpark` */
export function addParkedCommands(group: Command, line: CommandLine): void {
  group
    .command('parked')
    .description('list invoices that cannot be decided, with the error')
    .addHelpText(
      'after',
      examples([['paywatch invoices parked', 'all parked invoices']]) + '\nReads DATABASE_URL.\n',
    )
    .action(line.action(() => listParked(line.env)));
  group
    .command('unpark')
    .description('retry the decision of parked invoices now')
    .addArgument(optionalInvoice())
    .option('--all', 'every parked invoice')
    .addHelpText(
      'after',
      examples([
        ['paywatch invoices unpark inv_8yXq3mJ2NdPz5KcVh7RtWb', 'after its data is repaired'],
        ['paywatch invoices unpark --all', 'after a faulty release was rolled back'],
      ]) + '\nAn invoice that fails again is parked again. Reads DATABASE_URL.\n',
    )
    .action(
      line.action((publicId: string | undefined, options: { all?: true }) =>
        unpark(line.env, publicId ?? null, options.all === true),
      ),
    );
}

function optionalInvoice(): Argument {
  return new Argument('[public_id]', 'invoice, for example inv_8yXq3mJ2NdPz5KcVh7RtWb').argParser(
    (text): string => {
      const parsed = publicIdSchema.safeParse(text);
      if (!parsed.success)
        throw new InvalidArgumentError('Expected an invoice id such as inv_8yXq3mJ2NdPz5KcVh7RtWb.');
      return parsed.data;
    },
  );
}

async function listParked(env: Env): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async ({ sql }) => {
    const parked = await listParkedInvoices(sql, MAX_LISTED);
    return { json: { parked: parked.map(parkedJson) }, text: parkedText(parked) };
  });
}

function parkedJson(parked: ParkedInvoice) {
  return {
    public_id: parked.publicId,
    currency: parked.currency,
    error_class: parked.errorClass,
    error_message: parked.message,
    attempts: parked.attempts,
    parked_at: parked.parkedAt.toISOString(),
    failed_at: parked.failedAt.toISOString(),
    next_attempt_at: parked.nextAttemptAt.toISOString(),
  };
}

function parkedText(parked: readonly ParkedInvoice[]): string {
  return table(
    ['Invoice', 'Currency', 'Parked', 'Attempts', 'Next attempt', 'Error'],
    parked.map(({ publicId, currency, parkedAt, attempts, nextAttemptAt, errorClass, message }) => [
      publicId,
      currency,
      parkedAt,
      attempts,
      nextAttemptAt,
      `${errorClass}: ${message}`,
    ]),
    'No invoices are parked.',
  );
}

async function unpark(env: Env, publicId: string | null, isAll: boolean): Promise<Answer> {
  if ((publicId === null) !== isAll) throw new UsageFailure('Name one invoice or use --all.');
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const count =
      publicId === null ? await retryAllParkedInvoices(database.sql) : await retryOne(database, publicId);
    return {
      json: { retried: count },
      text: `${count} ${count === 1 ? 'invoice' : 'invoices'} queued; watchers decide within seconds.`,
    };
  });
}

async function retryOne(database: Database, publicId: string): Promise<number> {
  const retried = await retryParkedInvoice(database, byOperator, publicId);
  if (retried === null) throw new CommandFailure(`${publicId} is not parked.`);
  return 1;
}
