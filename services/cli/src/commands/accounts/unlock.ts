import { byOperator, unlockAccount } from '@paywatch/store/accounts';
import type { Command } from 'commander';
import { readDatabaseConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { withDatabase } from '../../open-store.ts';
import { emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';

/** `paywatch accounts unlock` */
export function addUnlockCommand(group: Command, line: CommandLine): void {
  group
    .command('unlock')
    .description(
      'forget the failed logins of an account, and its wrong passwords and codes; the limit of the network stays (LOGIN_LIMIT_*)',
    )
    .addArgument(emailArgument())
    .requiredOption('--reason <text>', 'how the owner was identified; written to the audit log')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch accounts unlock shop@example.com --reason "called back"',
          'five more attempts (LOGIN_EMAIL_LIMIT_POINTS)',
        ],
      ]),
    )
    .action(line.action((email: string, { reason }: { reason: string }) => unlock(line, email, reason)));
}

async function unlock(line: CommandLine, email: string, reason: string): Promise<Answer> {
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { accountId } = await requireAccount(database, email);
    await unlockAccount(database, byOperator, { accountId, reason });
    return {
      json: { email, unlocked: true },
      text: `Failed logins of ${email} no longer count. The limit of a network (LOGIN_LIMIT_*) ends by itself.`,
    };
  });
}
