import { systemClock } from '@paywatch/runtime/process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { CommandFailure } from '../terminal/failure.ts';
import { fillSettings, settingsOf, type ComposeAnswers } from './compose-answers.ts';
import { composeSecrets, givenSecrets, REDIS_NAMES, type Secrets } from './compose-secrets.ts';

/** The files that were written and those that existed, relative to the folder. */
export type InitOutcome = { created: string[]; kept: string[] };

/**
 * Writes `.env` and every secret of compose.yaml into the folder that contains it. Existing files keep their contents, so it is safe
 * to repeat. Throws CommandFailure outside of such a folder.
 */
export async function initCompose(
  folder: string,
  answers: ComposeAnswers,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InitOutcome> {
  const template = readTemplate(folder);
  const kept = readSecrets(join(folder, 'secrets'));
  const given = givenSecrets({ ...readSettings(folder), ...env });
  // Imported on demand: only this command issues certificates.
  const { issueRedisCertificate } = await import('./redis-certificate.ts');
  const certificate = await issueRedisCertificate(REDIS_NAMES, systemClock.nowMs());
  const secrets = composeSecrets(kept, answers, given, certificate);
  mkdirSync(join(folder, 'secrets'), { recursive: true, mode: 0o700 });
  chmodSync(join(folder, 'secrets'), 0o700);
  const files = Object.entries(secrets).map(([name, text]) => ({
    path: `secrets/${name}`,
    text,
    mode: 0o444,
  }));
  const settings = fillSettings(template, settingsOf(answers));
  return writeMissing(folder, [{ path: '.env', text: settings, mode: 0o600 }, ...files]);
}

function readTemplate(folder: string): string {
  const path = join(folder, '.env.example');
  if (existsSync(path) && existsSync(join(folder, 'compose.yaml'))) return readFileSync(path, 'utf8');
  throw new CommandFailure(
    `${folder} does not contain compose.yaml and .env.example.`,
    'Name the folder that contains them: `paywatch init --compose FOLDER`.',
  );
}

/** The variables of an existing `.env`; earlier releases kept URLs with passwords there. */
function readSettings(folder: string): NodeJS.Dict<string> {
  const path = join(folder, '.env');
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

/** An empty file counts as missing: it is where an optional secret may be written. */
function readSecrets(folder: string): Secrets {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const secrets = names.map((name) => [name, readFileSync(join(folder, name), 'utf8').trim()]);
  return Object.fromEntries(secrets.filter(([, text]) => text !== ''));
}

type WrittenFile = { path: string; text: string; mode: number };

function writeMissing(folder: string, files: readonly WrittenFile[]): InitOutcome {
  const outcome: InitOutcome = { created: [], kept: [] };
  for (const { path, text, mode } of files) {
    const file = join(folder, path);
    const isKept = existsSync(file) && (text === '' || readFileSync(file, 'utf8').trim() !== '');
    if (!isKept) replaceFile(file, text, mode);
    (isKept ? outcome.kept : outcome.created).push(path);
  }
  return outcome;
}

/** The folder keeps other users out; containers read the files as users of their own. */
function replaceFile(file: string, text: string, mode: number): void {
  rmSync(file, { force: true });
  writeFileSync(file, withNewline(text), { mode });
  // Whatever the umask is.
  chmodSync(file, mode);
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
