import { listAccounts, type AccountSummary } from '@paywatch/store/accounts';
import { Option, type Command } from 'commander';
import { emailArgument, wholeNumber } from '../../terminal/arguments.ts';
import { accountAnswer, readAccountDetails } from '../../terminal/account-details.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readAccountConfig, readDatabaseConfig, type Env } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { addAccountLimitCommand } from './account-limit.ts';
import { addDeleteCommand } from './delete.ts';
import { addEndSessionsCommand } from './end-sessions.ts';
import { addOperatorCommands } from './operator.ts';
import { addRemoveFactorsCommand } from './remove-factors.ts';
import { addUnlockCommand } from './unlock.ts';
import { resetPassword } from '../../reset-password.ts';
import { blocks, shownMoment, table } from '../../terminal/text.ts';

/** `paywatch accounts …` */
export function addAccountCommands(program: Command, line: CommandLine): void {
  const group = program.command('accounts').description('accounts and their projects');
  addList(group, line);
  group
    .command('show')
    .description('show an account with its project, wallets, API keys and latest changes')
    .addArgument(emailArgument())
    .addHelpText('after', examples([['paywatch accounts show shop@example.com', 'shows no secrets']]))
    .action(line.action((email: string) => show(line.env, email)));
  addResetPassword(group, line);
  addRemoveFactorsCommand(group, line);
  addUnlockCommand(group, line);
  addEndSessionsCommand(group, line);
  addAccountLimitCommand(group, line);
  addOperatorCommands(group, line);
  addDeleteCommand(group, line);
}

function addList(group: Command, line: CommandLine): void {
  group
    .command('list')
    .description('list accounts, newest first')
    .option('--limit <n>', 'maximum number of results', wholeNumber(1, 1000), 50)
    .option('--cursor <cursor>', 'continue after the previous page')
    .addOption(new Option('--active', 'only accounts with an active subscription').conflicts('lapsed'))
    .option('--lapsed', 'only accounts without an active subscription')
    .addHelpText(
      'after',
      examples([
        ['paywatch accounts list --lapsed', 'accounts that cannot create invoices'],
        ['paywatch accounts list --limit 1000 --json', 'for scripts; pass next_cursor to get the next page'],
      ]),
    )
    .action(line.action((options: ListOptions) => list(line.env, options)));
}

function addResetPassword(group: Command, line: CommandLine): void {
  group
    .command('reset-password')
    .description(
      'set a new password; revoke sessions, second factors, API keys, webhook endpoint, unverified wallets, pending changes of wallets and the overlay link',
    )
    .addArgument(emailArgument())
    .option('--password-stdin', 'read the password from standard input instead of generating one')
    .addHelpText(
      'after',
      examples([
        ['paywatch accounts reset-password shop@example.com', 'prints a new random password'],
        ['paywatch accounts reset-password shop@example.com --password-stdin < file', 'prints no password'],
      ]),
    )
    .action(
      line.action((email: string, options: { passwordStdin?: true }) =>
        resetPassword(line.env, email, options.passwordStdin === true ? line.stdin : null),
      ),
    );
}

type ListOptions = { limit: number; cursor?: string; active?: true; lapsed?: true };

async function list(env: Env, { limit, cursor, active, lapsed }: ListOptions): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    // The cursor is the last email of the previous page.
    const last = cursor === undefined ? null : await requireAccount(database, cursor.toLowerCase());
    const after = last?.accountId ?? null;
    const isSubscriptionActive = active ? true : lapsed ? false : null;
    const accounts = await listAccounts(database, { limit: limit + 1, after, isSubscriptionActive });
    const page = accounts.slice(0, limit);
    const next = accounts.length > limit ? (page.at(-1)?.email ?? null) : null;
    return listAnswer(page, next);
  });
}

function listAnswer(page: readonly AccountSummary[], next: string | null): Answer {
  const rows = page.map((account) => [
    account.email,
    account.projectName,
    describeSubscription(account),
    account.registeredAt,
    account.isOperator,
  ]);
  return {
    json: { data: page.map(accountJson), next_cursor: next },
    text: blocks(
      table(['EMAIL', 'PROJECT', 'SUBSCRIPTION', 'REGISTERED', 'OPERATOR'], rows, 'No accounts.'),
      next === null ? '' : `Next page: --cursor ${next}`,
    ),
  };
}

function accountJson(account: AccountSummary) {
  return {
    email: account.email,
    project_name: account.projectName === '' ? null : account.projectName,
    subscription: {
      active: account.isSubscriptionActive,
      active_until: account.subscriptionActiveUntil?.toISOString() ?? null,
    },
    created_at: account.registeredAt.toISOString(),
    operator: account.isOperator,
  };
}

function describeSubscription({
  subscriptionActiveUntil: until,
  isSubscriptionActive,
}: AccountSummary): string {
  if (until === null) return 'none';
  return `${isSubscriptionActive ? 'until' : 'ended'} ${shownMoment(until)}`;
}

async function show(env: Env, email: string): Promise<Answer> {
  const config = readAccountConfig(env);
  return withDatabase(config, async (database) => {
    const account = await requireAccount(database, email);
    return accountAnswer(await readAccountDetails(database, account, config));
  });
}
