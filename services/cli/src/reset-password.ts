import { registerBodySchema } from '@paywatch/domain/contract';
import { hashPassword, randomBase58 } from '@paywatch/runtime/security';
import { passwordWeakness } from '@paywatch/runtime/weak-password';
import { recoverAccount } from '@paywatch/store/accounts';
import { text as readText } from 'node:stream/consumers';
import type { Answer, ProcessIo } from './terminal/command-line.ts';
import { readStoreConfig, type Env } from './config.ts';
import { CommandFailure } from './terminal/failure.ts';
import { requireAccount } from './find-account.ts';
import { withStore } from './open-store.ts';

/** 128 bits; base58 has no characters that look alike. */
const RANDOM_BYTES = 16;

/**
 * Sets the password of an account, revokes its sessions, API keys, webhook endpoint and pending wallets, and replaces its overlay
 * token. Reads the password from `stdin`; if that is null, generates one and returns it. Throws CommandFailure and
 * ConfigError.
 */
export async function resetPassword(
  env: Env,
  email: string,
  stdin: ProcessIo['stdin'] | null,
): Promise<Answer> {
  const config = readStoreConfig(env);
  const password = stdin === null ? randomBase58(RANDOM_BYTES) : await readPassword(stdin, email);
  await withStore(config, async (store) => {
    const { accountId } = await requireAccount(store, email);
    await recoverAccount(store, accountId, await hashPassword(password));
  });
  return resetAnswer(email, stdin === null ? password : null);
}

async function readPassword(stdin: ProcessIo['stdin'], email: string): Promise<string> {
  // A terminal would echo the password and keep it in its scrollback.
  if (stdin.isTTY === true)
    throw new CommandFailure('--password-stdin reads from a pipe or a file, not from a terminal.');
  const text = (await readText(stdin)).replace(/\r?\n$/, '');
  const parsed = registerBodySchema.shape.password.safeParse(text);
  const problem = parsed.success
    ? passwordWeakness(parsed.data, email.trim().toLowerCase())
    : parsed.error.issues.map(({ message }) => message).join(' ');
  if (parsed.success && problem === null) return parsed.data;
  throw new CommandFailure(`Password not accepted: ${problem}`);
}

function resetAnswer(email: string, password: string | null): Answer {
  const revoked =
    'All sessions and API keys are revoked. The webhook endpoint and all unverified wallets are removed.\n' +
    'The overlay link is replaced: the owner copies the new one from the account area.\n' +
    `Check the verified wallets together with the owner: paywatch accounts show ${email}`;
  return {
    json: { email, sessions_ended: true, access_revoked: true, ...(password === null ? {} : { password }) },
    text:
      password === null
        ? `Password of ${email} changed. ${revoked}`
        : `New password of ${email} (copy it now, it is not shown again):\n\n  ${password}\n\n${revoked}`,
  };
}
