import { openAccount, type TestAccount, type TestApi } from './api.ts';

/** Gives an account the operator's area. */
export async function makeOperator(
  { store }: Pick<TestApi, 'store'>,
  { accountId }: Pick<TestAccount, 'accountId'>,
): Promise<void> {
  await store.sql`update accounts set is_operator = true where id = ${accountId}`;
}

/** An account with the operator's area. */
export async function openOperator(api: Pick<TestApi, 'store'>): Promise<TestAccount> {
  const account = await openAccount(api);
  await makeOperator(api, account);
  return account;
}

/** The id of an account, as the operator's area names it. */
export async function accountIdOf(
  { store }: Pick<TestApi, 'store'>,
  { accountId }: Pick<TestAccount, 'accountId'>,
): Promise<string> {
  const [account] = await store.sql<{ id: string }[]>`
    select public_id as id from accounts where id = ${accountId}`;
  if (!account) throw new Error('the account was just opened');
  return account.id;
}
