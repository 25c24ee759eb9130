import { findAccount } from '@paywatch/store/accounts';
import type { Database } from '@paywatch/store/postgres';
import type { AccountIds } from '@paywatch/store/subscriptions';
import { CommandFailure } from './terminal/failure.ts';

/** Finds the account with this email. Throws CommandFailure if there is none. */
export async function requireAccount(database: Pick<Database, 'sql'>, email: string): Promise<AccountIds> {
  const account = await findAccount(database, email);
  if (account === null)
    throw new CommandFailure(`There is no account with the email ${email}.`, 'See `paywatch accounts list`.');
  return account;
}
