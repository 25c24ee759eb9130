import { createSealer, parseSealingKeys } from '@paywatch/runtime/security';
import {
  resealEndpoints,
  surveyEndpointSecrets,
  type ResealProgress,
  type SecretSurvey,
} from '@paywatch/store/webhooks';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, readKeyConfig } from '../../config.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';
import { progressBar } from '../../terminal/progress-bar.ts';

const BATCH = 100;

/** `paywatch keys …` */
export function addKeyCommands(program: Command, line: CommandLine): void {
  const group = program.command('keys').description('encryption keys of secrets at rest');
  group
    .command('rotate-encryption')
    .description('seal every stored secret with the first key of ENCRYPTION_KEYS')
    .addHelpText(
      'after',
      examples([
        ['paywatch keys rotate-encryption', 'while everything runs; safe to interrupt and to repeat'],
      ]) +
        `
To rotate: put a new key first (id:base64 of 32 bytes, before a comma and the old ones), restart the services with it,
run this command, and remove the old keys once it says that nothing needs them.
`,
    )
    .action(line.action(() => rotateEncryption(line)));
}

async function rotateEncryption(line: CommandLine): Promise<Answer> {
  const keys = parseSealingKeys(readKeyConfig(line.env).ENCRYPTION_KEYS);
  const sealer = createSealer(keys);
  const [newest, ...older] = keys.map(({ id }) => id);
  return withDatabase(readDatabaseConfig(line.env), async (database) => {
    const { outdated } = await surveyEndpointSecrets(database, sealer);
    const showProgress = ({ resealed }: ResealProgress) =>
      line.showProgress(`Sealing anew ${progressBar(resealed, outdated)}`);
    await resealEndpoints(database, sealer, BATCH, showProgress);
    // What is true now, not what was done: a service that still has the old keys may have sealed something meanwhile.
    return rotationAnswer(outdated, await surveyEndpointSecrets(database, sealer), newest ?? '', older);
  });
}

function rotationAnswer(found: number, left: SecretSurvey, newest: string, older: readonly string[]): Answer {
  const isDone = left.outdated === 0 && left.unreadable === 0;
  return {
    json: { key: newest, resealed: found - left.outdated, ...left, removable_keys: isDone ? older : [] },
    text: [
      `${left.current} secret${left.current === 1 ? ' is' : 's are'} sealed with the key "${newest}", ` +
        `${Math.max(0, found - left.outdated)} of them anew.`,
      ...describeRest(left, isDone ? older : []),
    ].join('\n'),
    isFault: !isDone,
  };
}

function describeRest({ outdated, unreadable }: SecretSurvey, removable: readonly string[]): string[] {
  return [
    unreadable > 0
      ? `${unreadable} cannot be opened: their key is not in ENCRYPTION_KEYS. Put it back, behind the others, and run this again.`
      : [],
    outdated > 0
      ? `${outdated} were sealed with an older key, or by an older release, meanwhile: restart the services with the new keys, and run this again.`
      : [],
    removable.length > 0 ? `Nothing needs these keys any more: ${removable.join(', ')}.` : [],
  ].flat();
}
