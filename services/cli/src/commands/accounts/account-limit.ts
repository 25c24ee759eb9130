import { byOperator, setAddressLimit, type AddressLimitChange } from '@paywatch/store/accounts';
import { Option, type Command } from 'commander';
import { emailArgument, wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, type Env } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';

const MAX_ADDRESSES = 1_000_000_000;

/** `paywatch accounts limit` */
export function addAccountLimitCommand(group: Command, line: CommandLine): void {
  const command = group
    .command('limit')
    .description('set the address limit of an account')
    .addArgument(emailArgument())
    .addOption(
      new Option('--addresses <n>', 'number of addresses; each paid address adds 20')
        .argParser(wholeNumber(20, MAX_ADDRESSES))
        .conflicts('default'),
    )
    .option('--default', 'use ACCOUNT_ADDRESSES')
    .addHelpText(
      'after',
      examples([
        ['paywatch accounts limit shop@example.com --addresses 50000', 'a shop with many open orders'],
        ['paywatch accounts limit shop@example.com --default', 'the limit of all other accounts'],
      ]),
    );
  command.action(
    line.action((email: string, options: LimitOptions) =>
      change(line.env, email, requireLimit(command, options)),
    ),
  );
}

type LimitOptions = { addresses?: number; default?: true };

function requireLimit(command: Command, { addresses, default: isDefault }: LimitOptions): number | null {
  if (addresses !== undefined) return addresses;
  if (isDefault === true) return null;
  return command.error("error: either '--addresses <n>' or '--default' is required");
}

async function change(env: Env, email: string, limit: number | null): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const account = await requireAccount(database, email);
    return changeAnswer(email, await setAddressLimit(database, byOperator, account, limit));
  });
}

function changeAnswer(email: string, { before, after }: AddressLimitChange): Answer {
  return {
    json: { email, address_limit: after, previous_address_limit: before, changed: before !== after },
    text: `Address limit of ${email}: ${describe(after)} (previously ${describe(before)}). Each paid address adds 20.`,
  };
}

function describe(limit: number | null): string {
  return limit === null ? 'the default (ACCOUNT_ADDRESSES)' : `${limit} addresses`;
}
