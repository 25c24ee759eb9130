import type { Currency } from '@paywatch/domain/values';
import { byOperator } from '@paywatch/store/accounts';
import { cancelWalletChange } from '@paywatch/store/pools';
import type { Command } from 'commander';
import { readDatabaseConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { withDatabase } from '../../open-store.ts';
import { currencyArgument, emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { examples } from '../../terminal/help.ts';

/** `paywatch wallets cancel-change` */
export function addCancelChangeCommand(group: Command, line: CommandLine): void {
  group
    .command('cancel-change')
    .description('cancel a change of a wallet that has not taken effect yet')
    .addArgument(emailArgument())
    .addArgument(currencyArgument())
    .requiredOption('--reason <text>', 'how the owner was identified; written to the audit log')
    .addHelpText(
      'after',
      examples([
        [
          'paywatch wallets cancel-change shop@example.com BTC --reason "owner called back"',
          'the current wallet stays in use; mails the owner',
        ],
      ]),
    )
    .action(
      line.action((email: string, currency: Currency, { reason }: { reason: string }) =>
        cancelChange(line, email, { currency, reason }),
      ),
    );
}

async function cancelChange(
  line: CommandLine,
  email: string,
  { currency, reason }: { currency: Currency; reason: string },
): Promise<Answer> {
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    const [cancelled] = await cancelWalletChange(database, byOperator, projectId, { currency, reason });
    if (!cancelled)
      throw new CommandFailure(
        `${email} has no ${currency} wallet that waits to take effect.`,
        'See `paywatch wallets list`.',
      );
    const address = cancelled.verificationAddress;
    return {
      json: { email, currency, verification_address: address },
      text: `The ${currency} wallet of ${email} with the first address ${address} will not take effect. The current wallet stays in use.`,
    };
  });
}
