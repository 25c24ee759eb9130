import { setOperator } from '@paywatch/store/accounts';
import type { Command } from 'commander';
import { readDatabaseConfig } from '../../config.ts';
import { requireAccount } from '../../find-account.ts';
import { withDatabase } from '../../open-store.ts';
import { emailArgument } from '../../terminal/arguments.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';

/** `paywatch accounts make-operator` and `paywatch accounts remove-operator` */
export function addOperatorCommands(group: Command, line: CommandLine): void {
  addChange(group, line, {
    name: 'make-operator',
    description:
      'give an account the operator’s area: all accounts, subscriptions, and the state of the deployment',
    isOperator: true,
    example: ['--reason "second administrator"', 'takes effect at once'],
  });
  addChange(group, line, {
    name: 'remove-operator',
    description: 'take the operator’s area from an account',
    isOperator: false,
    example: ['--reason "left the company"', 'takes effect at once; the account keeps its projects'],
  });
}

type Change = {
  name: string;
  description: string;
  isOperator: boolean;
  example: readonly [options: string, what: string];
};

function addChange(
  group: Command,
  line: CommandLine,
  { name, description, isOperator, example }: Change,
): void {
  const [options, what] = example;
  group
    .command(name)
    .description(description)
    .addArgument(emailArgument())
    .requiredOption('--reason <text>', 'written to the audit log')
    .addHelpText('after', examples([[`paywatch accounts ${name} admin@example.com ${options}`, what]]))
    .action(
      line.action((email: string, { reason }: { reason: string }) =>
        change(line, email, { isOperator, reason }),
      ),
    );
}

async function change(
  line: CommandLine,
  email: string,
  { isOperator, reason }: { isOperator: boolean; reason: string },
): Promise<Answer> {
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { accountId } = await requireAccount(database, email);
    const changed = await setOperator(database, accountId, { isOperator, reason });
    return { json: { email, operator: isOperator, changed }, text: changeText(email, isOperator, changed) };
  });
}

function changeText(email: string, isOperator: boolean, changed: boolean): string {
  if (isOperator) return `${email} is ${changed ? 'now' : 'already'} an operator.`;
  return `${email} is ${changed ? 'no longer' : 'not'} an operator.`;
}
