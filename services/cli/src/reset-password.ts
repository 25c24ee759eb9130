import { registerBodySchema } from '@paywatch/domain/contract';
import { hashPassword, randomBase58 } from '@paywatch/runtime/security';
import { passwordWeakness } from '@paywatch/runtime/weak-password';
import { recoverAccount } from '@paywatch/store/accounts';
import { text as readText } from 'node:stream/consumers';
import type { Answer, Surroundings } from './terminal/command-line.ts';
import { readStoreConfig, type Env } from './config.ts';
import { CommandFailure } from './terminal/failure.ts';
import { requireAccount } from './find-account.ts';
import { withStore } from './open-store.ts';

/** 128 bits, in letters that can be read out and typed. */
const RANDOM_BYTES = 16;

/**
 * Sets the password of an account and revokes its sessions, API keys, webhook endpoint and pending wallets before it answers. From
 * `stdin`, or a random one where that is null, which stands in the answer and nowhere else. Throws CommandFailure, and ConfigError.
 */
export async function resetPassword(
  env: Env,
  email: string,
  stdin: Surroundings['stdin'] | null,
): Promise<Answer> {
  const config = readStoreConfig(env);
  const password = stdin === null ? randomBase58(RANDOM_BYTES) : await readPassword(stdin, email);
  await withStore(config, async (store) => {
    const { accountId } = await requireAccount(store, email);
    await recoverAccount(store, accountId, await hashPassword(password));
  });
  return resetAnswer(email, stdin === null ? password : null);
}

async function readPassword(stdin: Surroundings['stdin'], email: string): Promise<string> {
  // A terminal would show what is typed, and keep it in its scroll-back.
  if (stdin.isTTY === true)
    throw new CommandFailure('--password-stdin reads from a pipe or a file, not from a terminal.');
  const text = (await readText(stdin)).replace(/\r?\n$/, '');
  const parsed = registerBodySchema.shape.password.safeParse(text);
  const problem = parsed.success
    ? passwordWeakness(parsed.data, email.trim().toLowerCase())
    : parsed.error.issues.map(({ message }) => message).join(' ');
  if (parsed.success && problem === null) return parsed.data;
  throw new CommandFailure(`The password is refused: ${problem}`);
}

function resetAnswer(email: string, password: string | null): Answer {
  const revoked =
    'Every session has ended, every API key is revoked, and the webhook endpoint and wallets that were not verified are removed.\n' +
    `Check the verified wallets with the owner: paywatch accounts show ${email}`;
  return {
    json: { email, sessions_ended: true, access_revoked: true, ...(password === null ? {} : { password }) },
    text:
      password === null
        ? `The password of ${email} is set. ${revoked}`
        : `The password of ${email} is now, shown this once:\n\n  ${password}\n\n${revoked}`,
  };
}
