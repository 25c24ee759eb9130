import { findAccount } from '@paywatch/store/accounts';
import type { Database } from '@paywatch/store/postgres';
import type { AccountIds } from '@paywatch/store/subscriptions';
import { CommandFailure } from './terminal/failure.ts';

/** Finds the account with this email, with its first project or the one with this id. Throws CommandFailure if there is none. */
export async function requireAccount(
  database: Pick<Database, 'sql'>,
  email: string,
  projectId?: string,
): Promise<AccountIds> {
  const account = await findAccount(database, email, projectId);
  if (account === null && projectId !== undefined)
    throw new CommandFailure(
      `${email} has no project ${projectId}.`,
      `See \`paywatch accounts show ${email}\`.`,
    );
  if (account === null)
    throw new CommandFailure(`There is no account with the email ${email}.`, 'See `paywatch accounts list`.');
  return account;
}
