import type { MailLanguage } from '@paywatch/domain/contract';
import type { TransactionSql } from '../postgres/database.ts';

/** An account whose row is locked until the transaction ends. */
export type LockedAccount = {
  accountId: bigint;
  email: string;
  isVerified: boolean;
  passwordHash: string;
  language: MailLanguage;
};

/** Locks an account before its sessions and tokens. Throws if there is no such account. */
export async function lockAccount(tx: TransactionSql, accountId: bigint): Promise<LockedAccount> {
  const [account] = await tx<LockedAccount[]>`
    select id as "accountId", email, email_verified_at is not null as "isVerified", password_hash as "passwordHash", language
    from accounts where id = ${accountId} for no key update`;
  if (!account) throw new Error(`account ${accountId} not found`);
  return account;
}
