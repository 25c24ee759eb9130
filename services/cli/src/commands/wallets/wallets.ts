import type { Currency } from '@paywatch/domain/values';
import { LIMITS } from '@paywatch/domain/contract';
import { byOperator, listWalletChanges, type WalletChange } from '@paywatch/store/accounts';
import { changeGapLimit, findWallet, type GapLimitChange, type Wallet } from '@paywatch/store/pools';
import { listWalletOverviews } from '@paywatch/store/projects';
import { Argument, type Command } from 'commander';
import { walletJson, walletStateText, walletsText } from '../../terminal/account-details.ts';
import { currencyArgument, emailArgument, wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, readPoolConfig, type Env } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { shortenedKey } from '../../terminal/shortened-key.ts';
import { blocks, fields, table } from '../../terminal/text.ts';
import { addCancelChangeCommand } from './cancel-change.ts';
import { addWalletImportCommand } from './wallet-import.ts';

const SHOWN_CHANGES = 20;

/** `paywatch wallets …` */
export function addWalletCommands(program: Command, line: CommandLine): void {
  const group = program.command('wallets').description('wallets of merchants');
  group
    .command('list')
    .description('list the wallets of an account')
    .addArgument(emailArgument())
    .addHelpText(
      'after',
      examples([
        [
          'paywatch wallets list shop@example.com',
          'wallets with their free addresses, and changes that wait to take effect',
        ],
      ]),
    )
    .action(line.action((email: string) => list(line.env, email)));
  group
    .command('inspect')
    .description('show a wallet with its shortened key and its changes')
    .addArgument(emailArgument())
    .addArgument(currencyArgument())
    .addHelpText(
      'after',
      examples([
        ['paywatch wallets inspect shop@example.com BTC', 'key and history of the wallet'],
        ['paywatch pools inspect shop@example.com BTC', 'its addresses'],
      ]),
    )
    .action(line.action((email: string, currency: Currency) => inspect(line.env, email, currency)));
  addSetGapLimit(group, line);
  addCancelChangeCommand(group, line);
  addWalletImportCommand(group, line);
}

function addSetGapLimit(group: Command, line: CommandLine): void {
  const { min, max } = LIMITS.gapLimit;
  group
    .command('set-gap-limit')
    .description('change the gap limit of a wallet')
    .addArgument(emailArgument())
    .addArgument(currencyArgument())
    .addArgument(new Argument('<n>', `${min} to ${max}`).argParser(wholeNumber(min, max)))
    .addHelpText(
      'after',
      examples([
        ['paywatch wallets set-gap-limit shop@example.com BTC 100', 'for a shop with many open orders'],
      ]) +
        '\nThe owner must raise the gap limit of the wallet software first; otherwise it may not find every payment. Leased' +
        '\naddresses stay leased.\n',
    )
    .action(
      line.action((email: string, currency: Currency, gapLimit: number) =>
        setGapLimit(line.env, email, currency, gapLimit),
      ),
    );
}

async function list(env: Env, email: string): Promise<Answer> {
  const config = readPoolConfig(env);
  return withDatabase(config, async (database) => {
    const { projectId } = await requireAccount(database, email);
    const wallets = await listWalletOverviews(database, projectId, config.QUARANTINE_SECONDS);
    return { json: { email, wallets: wallets.map(walletJson) }, text: walletsText(wallets) };
  });
}

async function inspect(env: Env, email: string, currency: Currency): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    const wallet = await findWallet(database, projectId, currency);
    if (wallet === null) throw noWallet(email, currency);
    const changes = await listWalletChanges(database, projectId, SHOWN_CHANGES);
    return inspectAnswer(
      email,
      wallet,
      changes.filter((change) => change.currency === currency),
    );
  });
}

function noWallet(email: string, currency: Currency): CommandFailure {
  return new CommandFailure(`${email} has no ${currency} wallet.`);
}

function inspectAnswer(email: string, wallet: Wallet, changes: readonly WalletChange[]): Answer {
  const rows = changes.map((change) => [change.at, change.action, change.verificationAddress, change.actor]);
  return {
    json: {
      email,
      currency: wallet.currency,
      verified: wallet.isVerified,
      serving: wallet.isServing,
      effective_at: wallet.effectiveAt?.toISOString() ?? null,
      key: shortenedKey(wallet.xpub),
      script_type: wallet.scriptType,
      derivation_path: wallet.derivationPath,
      branch: wallet.branch,
      verification_address: wallet.verificationAddress,
      next_index: wallet.nextIndex,
      gap_limit: wallet.gapLimit,
      changes: changes.map(({ at, action, verificationAddress, actor }) => ({
        at: at.toISOString(),
        action,
        verification_address: verificationAddress,
        actor,
      })),
    },
    text: blocks(
      fields([
        ['Wallet', `${email}, ${wallet.currency}, ${walletStateText(wallet)}`],
        ['Key', `${shortenedKey(wallet.xpub)}, ${wallet.scriptType}`],
        ['Derivation', `${wallet.derivationPath ?? 'unknown origin'}, receive branch ${wallet.branch}`],
        ['Address at index 0', wallet.verificationAddress],
        ['Next index', wallet.nextIndex],
        ['Gap limit', wallet.gapLimit],
      ]),
      table(['TIME', 'CHANGE', 'ADDRESS AT INDEX 0', 'BY'], rows, ''),
    ),
  };
}

async function setGapLimit(env: Env, email: string, currency: Currency, gapLimit: number): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const { projectId } = await requireAccount(database, email);
    const change = await changeGapLimit(database, byOperator, { projectId, currency, gapLimit });
    if (change === null)
      throw new CommandFailure(
        `${email} has no verified ${currency} wallet.`,
        'See `paywatch wallets list`.',
      );
    return gapLimitAnswer(email, currency, change);
  });
}

function gapLimitAnswer(
  email: string,
  currency: Currency,
  { before, after, ruling }: GapLimitChange,
): Answer {
  return {
    json: { email, currency, previous_gap_limit: before, gap_limit: after, ruling_gap_limit: ruling },
    text: [
      `The gap limit of the ${currency} wallet of ${email} is ${after}; it was ${before}.`,
      ...(ruling < after
        ? [`Another project owns the address pool of this key; its limit of ${ruling} applies.`]
        : []),
      `The wallet software needs a gap limit of at least ${ruling}.`,
    ].join('\n'),
  };
}
