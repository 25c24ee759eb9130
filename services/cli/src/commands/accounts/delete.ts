import { byOperator, deleteAccount } from '@paywatch/store/accounts';
import type { Command } from 'commander';
import { readStoreConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { withStore } from '../../open-store.ts';
import { emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';

/** `paywatch accounts delete` */
export function addDeleteCommand(group: Command, line: CommandLine): void {
  group
    .command('delete')
    .description(
      'delete an account and its project for good: all access ends at once, open invoices are decided to the end, books are kept for 400 days',
    )
    .addArgument(emailArgument())
    .requiredOption('--reason <text>', 'who asked for it; written to the audit log')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch accounts delete shop@example.com --reason "owner asked by mail"',
          'cannot be undone; mails the owner',
        ],
      ]),
    )
    .action(line.action((email: string, { reason }: { reason: string }) => remove(line, email, reason)));
}

async function remove(line: CommandLine, email: string, reason: string): Promise<Answer> {
  return withStore(readStoreConfig(line.env), async (store) => {
    const { accountId } = await requireAccount(store, email);
    await deleteAccount(store, byOperator, { accountId, passwordHash: null, reason });
    return {
      json: { email, deleted: true },
      text: `Deleted ${email}. Its email can register again, as a new account.`,
    };
  });
}
