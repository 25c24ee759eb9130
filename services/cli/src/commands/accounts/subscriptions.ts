import { byOperator, listSubscriptions } from '@paywatch/store/accounts';
import {
  endSubscription,
  grantSubscription,
  type SubscriptionChange,
  type SubscriptionTerm,
} from '@paywatch/store/subscriptions';
import { systemClock } from '@paywatch/runtime/process';
import { Option, type Command } from 'commander';
import { emailArgument, parseUntil, projectOption, wholeNumber } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, type Env } from '../../config.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { requireAccount } from '../../find-account.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { addPurchaseCommands } from './subscription-purchases.ts';
import { shownMoment, table } from '../../terminal/text.ts';

const MAX_DAYS = 3650;

/** `paywatch subscriptions …` */
export function addSubscriptionCommands(program: Command, line: CommandLine): void {
  const group = program.command('subscriptions').description('grant and end subscriptions');
  addGrant(group, line);
  group
    .command('end')
    .description('end a subscription now; open invoices are still watched and reported')
    .addArgument(emailArgument())
    .addOption(projectOption())
    .addHelpText(
      'after',
      examples([['paywatch subscriptions end shop@example.com', 'the account cannot create new invoices']]),
    )
    .action(line.action((email: string, { project }: ProjectOption) => end(line.env, email, project)));
  addList(group, line);
  addPurchaseCommands(group, line);
}

function addList(group: Command, line: CommandLine): void {
  group
    .command('list')
    .description('list active subscriptions, soonest end first')
    .option(
      '--ending-within <days>',
      'only subscriptions that end within this many days',
      wholeNumber(1, MAX_DAYS),
    )
    .option('--limit <n>', 'maximum number of results', wholeNumber(1, 1000), 50)
    .addHelpText(
      'after',
      examples([
        ['paywatch subscriptions list --ending-within 7', 'subscriptions to renew soon'],
        ['paywatch accounts list --lapsed', 'accounts without a subscription'],
      ]),
    )
    .action(line.action((options: ListOptions) => list(line.env, options)));
}

type ListOptions = { endingWithin?: number; limit: number };

async function list(env: Env, { endingWithin, limit }: ListOptions): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const page = { limit, endingWithinDays: endingWithin ?? null };
    const subscriptions = await listSubscriptions(database, page);
    const rows = subscriptions.map(({ email, activeUntil }) => [email, activeUntil]);
    return {
      json: {
        data: subscriptions.map(({ email, activeUntil }) => ({
          email,
          active_until: activeUntil.toISOString(),
        })),
      },
      text: table(['EMAIL', 'ACTIVE UNTIL'], rows, 'No subscriptions.'),
    };
  });
}

function addGrant(group: Command, line: CommandLine): void {
  const grantCommand = group
    .command('grant')
    .description('allow an account to create invoices for a period')
    .addArgument(emailArgument())
    .addOption(projectOption())
    .addOption(
      new Option('--days <n>', 'extend the subscription by this many days')
        .argParser(wholeNumber(1, MAX_DAYS))
        .conflicts('until'),
    )
    .addOption(
      new Option('--until <date>', 'end of the subscription: a day (its end, UTC) or a time').argParser(
        parseUntil,
      ),
    )
    .addHelpText(
      'after',
      examples([
        ['paywatch subscriptions grant shop@example.com --days 30', 'adds 30 days'],
        [
          'paywatch subscriptions grant shop@example.com --until 2027-01-31',
          'until the end of that day (UTC)',
        ],
        ['paywatch subscriptions grant shop@example.com --until 2027-01-31T12:00:00Z', 'until that time'],
      ]),
    );
  grantCommand.action(
    line.action((email: string, options: GrantOptions) =>
      grant(line.env, email, { ...options, term: requireTerm(grantCommand, options) }),
    ),
  );
}

type ProjectOption = { project?: string };
type GrantOptions = ProjectOption & { days?: number; until?: Date };

function requireTerm(command: Command, { days, until }: GrantOptions): SubscriptionTerm {
  if (days !== undefined) return { days };
  if (until !== undefined) return { until };
  return command.error("error: either '--days <n>' or '--until <date>' is required");
}

async function grant(
  env: Env,
  email: string,
  { project, term }: ProjectOption & { term: SubscriptionTerm },
): Promise<Answer> {
  if ('until' in term && term.until.getTime() <= systemClock.nowMs())
    throw new CommandFailure(
      `${shownMoment(term.until)} is in the past.`,
      `To end the subscription now, run \`paywatch subscriptions end ${email}\`.`,
    );
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const account = await requireAccount(database, email, project);
    return changeAnswer(email, true, await grantSubscription(database, byOperator, account, term));
  });
}

async function end(env: Env, email: string, project?: string): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    const account = await requireAccount(database, email, project);
    return changeAnswer(email, false, await endSubscription(database, byOperator, account));
  });
}

function changeAnswer(email: string, active: boolean, { before, after }: SubscriptionChange): Answer {
  const changed = before?.getTime() !== after?.getTime();
  return {
    json: {
      email,
      subscription: { active, active_until: after?.toISOString() ?? null },
      previous_active_until: before?.toISOString() ?? null,
      changed,
    },
    text: describeChange(email, active, changed, after),
  };
}

function describeChange(email: string, active: boolean, changed: boolean, until: Date | null): string {
  if (until === null) return `${email} never had a subscription. Nothing changed.`;
  if (active) return `The subscription of ${email} is active until ${shownMoment(until)}.`;
  return changed
    ? `The subscription of ${email} ended at ${shownMoment(until)}.`
    : `The subscription of ${email} already ended at ${shownMoment(until)}. Nothing changed.`;
}
