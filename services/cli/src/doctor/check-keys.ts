import { failed, ok, skipped, warning, type Finding } from '@paywatch/domain/deployment';
import { createSealer, parseSealingKeys, type SealingKey } from '@paywatch/runtime/security';
import type { Database } from '@paywatch/store/postgres';
import { surveySecrets, type SecretSurvey } from '@paywatch/store/sealing';
import { readKeyConfig, type Env } from '../config.ts';
import { attempt } from './attempt.ts';

const ADVICE =
  'Set ENCRYPTION_KEYS to id:base64 of 32 random bytes, with the same value in every service. Generate a key: ' +
  '`echo "k1:$(openssl rand -base64 32)"`.';

/** Checks the encryption keys and reports their ids only. Never rejects. */
export function checkKeys(env: Env): Promise<Finding> {
  return attempt('Encryption keys', ADVICE, async () => {
    const [newest, ...older] = readKeys(env).map(({ id }) => id);
    const rest = older.length === 0 ? '' : `; older keys: ${older.join(', ')}`;
    return ok('Encryption keys', `newest key: ${newest ?? ''}${rest}`);
  });
}

/** Checks that every stored secret can be decrypted. Never rejects. */
export function checkSecrets(env: Env, database: Database): Promise<Finding> {
  return attempt('Stored secrets', ADVICE, async () => {
    const keys = tryReadKeys(env);
    if (keys === null) return skipped('Stored secrets', 'no encryption keys');
    return judgeSecrets(await surveySecrets(database, createSealer(keys)));
  });
}

function judgeSecrets({ current, outdated, unreadable }: SecretSurvey): Finding {
  if (unreadable > 0)
    return failed(
      'Stored secrets',
      `${unreadable} cannot be decrypted; their webhooks are not sent, and their authenticator apps do not work`,
      'Add the missing key at the end of ENCRYPTION_KEYS and restart the API and the webhook workers.',
    );
  if (outdated > 0)
    return warning(
      'Stored secrets',
      `${outdated} are encrypted with an older key or in the old format`,
      'Run `paywatch keys rotate-encryption` before you remove an older key.',
    );
  return ok('Stored secrets', current === 0 ? 'none yet' : `${current}, all encrypted with the newest key`);
}

function readKeys(env: Env): SealingKey[] {
  return parseSealingKeys(readKeyConfig(env).ENCRYPTION_KEYS);
}

function tryReadKeys(env: Env): SealingKey[] | null {
  try {
    return readKeys(env);
  } catch {
    return null; // checkKeys reports the error.
  }
}
