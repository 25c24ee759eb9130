import { createSealer, parseSealingKeys, type SealingKey } from '@paywatch/runtime/security';
import type { Database } from '@paywatch/store/postgres';
import { surveyEndpointSecrets, type SecretSurvey } from '@paywatch/store/webhooks';
import { readKeyConfig, type Env } from '../config.ts';
import { attempt, failed, ok, skipped, warning, type Finding } from './finding.ts';

const ADVICE =
  'Set ENCRYPTION_KEYS to id:base64 of 32 random bytes, the same in every service: ' +
  '`echo "k1:$(openssl rand -base64 32)"` makes one.';

/** Whether there are encryption keys. Never rejects, and tells of a key nothing but its id. */
export function checkKeys(env: Env): Promise<Finding> {
  return attempt('Encryption keys', ADVICE, async () => {
    const [newest, ...older] = readKeys(env).map(({ id }) => id);
    const rest = older.length === 0 ? '' : `, and ${older.join(', ')} to open what it sealed before`;
    return ok('Encryption keys', `${newest ?? ''} seals${rest}`);
  });
}

/** Whether every stored secret can be opened with them. Never rejects. */
export function checkSecrets(env: Env, database: Database): Promise<Finding> {
  return attempt('Stored secrets', ADVICE, async () => {
    const keys = tryReadKeys(env);
    if (keys === null) return skipped('Stored secrets', 'there are no encryption keys');
    return judgeSecrets(await surveyEndpointSecrets(database, createSealer(keys)));
  });
}

function judgeSecrets({ current, outdated, unreadable }: SecretSurvey): Finding {
  if (unreadable > 0)
    return failed(
      'Stored secrets',
      `${unreadable} cannot be opened: their webhooks are not sent`,
      'Put the key that sealed them back into ENCRYPTION_KEYS, behind the others, and restart the webhook workers.',
    );
  if (outdated > 0)
    return warning(
      'Stored secrets',
      `${outdated} are sealed with an older key, or not bound to their row`,
      'Run `paywatch keys rotate-encryption`, before you remove an older key.',
    );
  return ok('Stored secrets', current === 0 ? 'none yet' : `${current}, all sealed with the newest key`);
}

function readKeys(env: Env): SealingKey[] {
  return parseSealingKeys(readKeyConfig(env).ENCRYPTION_KEYS);
}

function tryReadKeys(env: Env): SealingKey[] | null {
  try {
    return readKeys(env);
  } catch {
    return null; // What is wrong with them is the finding of checkKeys.
  }
}
