import { createSealer, parseSealingKeys } from '@paywatch/runtime/security';
import {
  resealSecrets,
  surveySecrets,
  type ResealProgress,
  type SecretSurvey,
} from '@paywatch/store/sealing';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, readKeyConfig } from '../../config.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { progressBar } from '../../terminal/progress-bar.ts';

const BATCH = 100;

/** `paywatch keys …` */
export function addKeyCommands(program: Command, line: CommandLine): void {
  const group = program.command('keys').description('encryption keys of stored secrets');
  group
    .command('rotate-encryption')
    .description('re-encrypt all stored secrets with the first key of ENCRYPTION_KEYS')
    .addHelpText(
      'after',
      examples([['paywatch keys rotate-encryption', 'no downtime; safe to interrupt and to repeat']]) +
        `
To rotate: add a new key (id:base64 of 32 bytes) at the start of ENCRYPTION_KEYS, restart the services, run this command, and
remove the old keys when it lists them as unused.
`,
    )
    .action(line.action(() => rotateEncryption(line)));
}

async function rotateEncryption(line: CommandLine): Promise<Answer> {
  const keys = parseSealingKeys(readKeyConfig(line.env).ENCRYPTION_KEYS);
  const sealer = createSealer(keys);
  const [newest, ...older] = keys.map(({ id }) => id);
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { outdated } = await surveySecrets(database, sealer);
    const showProgress = ({ resealed }: ResealProgress) =>
      line.showProgress(`Re-encrypting ${progressBar(resealed, outdated)}`);
    await resealSecrets(database, sealer, BATCH, showProgress);
    // Counted again: a service that still has the old keys may have encrypted a secret meanwhile.
    return rotationAnswer(outdated, await surveySecrets(database, sealer), newest ?? '', older);
  });
}

function rotationAnswer(found: number, left: SecretSurvey, newest: string, older: readonly string[]): Answer {
  const isDone = left.outdated === 0 && left.unreadable === 0;
  return {
    json: { key: newest, resealed: found - left.outdated, ...left, removable_keys: isDone ? older : [] },
    text: [
      `${left.current} secret${left.current === 1 ? ' is' : 's are'} encrypted with the key "${newest}", ` +
        `${Math.max(0, found - left.outdated)} of them by this command.`,
      ...describeRemaining(left, isDone ? older : []),
    ].join('\n'),
    hasProblem: !isDone,
  };
}

function describeRemaining({ outdated, unreadable }: SecretSurvey, removable: readonly string[]): string[] {
  return [
    unreadable > 0
      ? `${unreadable} cannot be decrypted. Add their key at the end of ENCRYPTION_KEYS and run this command again.`
      : [],
    outdated > 0
      ? `${outdated} were encrypted with an older key meanwhile. Restart the services with the new keys and run this command again.`
      : [],
    removable.length > 0 ? `Unused keys that you can remove: ${removable.join(', ')}.` : [],
  ].flat();
}
