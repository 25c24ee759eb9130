import { randomToken, sha256 } from '@paywatch/runtime/security';
import { claimMail, prepareMail, type MailKind } from '@paywatch/store/mails';
import type { TestApi } from './api.ts';

/** Prepares the next mail of a kind as the worker does, and returns the token of its link; null if the mail is not needed. */
export async function linkIn(
  { store }: Pick<TestApi, 'store'>,
  kind: MailKind,
  recipient: string,
): Promise<string | null> {
  const [row] = await store.sql<{ id: bigint }[]>`
    select id from mails where kind = ${kind} and recipient = ${recipient} and status = 'pending' and claims = 0
    order by id desc limit 1`;
  if (!row) throw new Error(`no ${kind} mail to ${recipient}`);
  const mail = await claimMail(store, row.id, 60);
  const token = randomToken(32);
  const prepared = await prepareMail(store, mail!, sha256(token));
  return prepared === null ? null : token;
}
