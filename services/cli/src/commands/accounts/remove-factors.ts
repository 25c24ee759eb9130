import { resetSecondFactors } from '@paywatch/store/accounts';
import type { Command } from 'commander';
import { readStoreConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { withStore } from '../../open-store.ts';
import { emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';

/** `paywatch accounts remove-factors` */
export function addRemoveFactorsCommand(group: Command, line: CommandLine): void {
  group
    .command('remove-factors')
    .description(
      'remove all authenticator apps, passkeys and recovery codes of an account whose owner has lost them, and end its sessions',
    )
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
  return withStore(readStoreConfig(line.env), async (store) => {
    const { accountId } = await requireAccount(store, email);
    const removed = await resetSecondFactors(store, accountId, reason);
    return {
      json: { email, removed },
      text:
        removed === 0
          ? `${email} has no second factor.`
          : `Removed ${removed} second factor${removed === 1 ? '' : 's'} of ${email}, and its recovery codes. All sessions are ended. A login now needs the password only.`,
    };
  });
}
