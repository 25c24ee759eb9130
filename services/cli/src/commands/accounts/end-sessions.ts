import { endAccountSessions } from '@paywatch/store/accounts';
import type { Command } from 'commander';
import { readStoreConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { withStore } from '../../open-store.ts';
import { emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';

/** `paywatch accounts end-sessions` */
export function addEndSessionsCommand(group: Command, line: CommandLine): void {
  group
    .command('end-sessions')
    .description('end all sessions of an account; its API keys stay')
    .addArgument(emailArgument())
    .requiredOption('--reason <text>', 'why they are ended; written to the audit log')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch accounts end-sessions shop@example.com --reason "laptop stolen"',
          'the owner logs in again',
        ],
      ]),
    )
    .action(line.action((email: string, { reason }: { reason: string }) => endAll(line, email, reason)));
}

async function endAll(line: CommandLine, email: string, reason: string): Promise<Answer> {
  return withStore(readStoreConfig(line.env), async (store) => {
    const { accountId } = await requireAccount(store, email);
    const ended = await endAccountSessions(store, accountId, reason);
    return {
      json: { email, ended },
      text:
        ended === 0
          ? `${email} has no session.`
          : `Ended ${ended} session${ended === 1 ? '' : 's'} of ${email}.`,
    };
  });
}
