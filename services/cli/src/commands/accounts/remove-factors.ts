import { resetSecondFactors } from '@paywatch/store/accounts';
import type { Command } from 'commander';
import { readDatabaseConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { withDatabase } from '../../open-store.ts';
import { emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';

/** `paywatch accounts remove-factors` */
export function addRemoveFactorsCommand(group: Command, line: CommandLine): void {
  group
    .command('remove-factors')
    .description('remove all authenticator apps and recovery codes of an account whose owner has lost them')
    .addArgument(emailArgument())
    .requiredOption('--reason <text>', 'how the owner was identified; written to the audit log')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch accounts remove-factors shop@example.com --reason "phone lost, called back"',
          'mails the owner',
        ],
      ]),
    )
    .action(
      line.action((email: string, { reason }: { reason: string }) => removeFactors(line, email, reason)),
    );
}

async function removeFactors(line: CommandLine, email: string, reason: string): Promise<Answer> {
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { accountId } = await requireAccount(database, email);
    const removed = await resetSecondFactors(database, accountId, reason);
    return {
      json: { email, removed },
      text:
        removed === 0
          ? `${email} has no second factor.`
          : `Removed ${removed} authenticator app${removed === 1 ? '' : 's'} of ${email}, and its recovery codes. A login now needs the password only.`,
    };
  });
}
