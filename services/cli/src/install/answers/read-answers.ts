import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { CommandFailure, UsageFailure } from '../../terminal/failure.ts';
import { answersSchema, type Answers } from './answers.ts';

/** Options of the command line that answer a question. URLs with a password belong into the file. */
export type AnswerFlags = {
  answers?: string;
  domain?: string;
  btc?: string;
  ltc?: string;
  mail?: string;
  mailFrom?: string;
  backups?: string;
};

/** Where the answers of an installation are kept for the next run, readable by root alone. */
export const ANSWERS_FILE = '/etc/paywatch/answers.json';

/** The default of Debian's logrotate and of most backup plans. */
const KEPT_DAYS = 14;

/** Answers that are given so far: of the last installation, then the file, then the flags. Unchecked. */
export function givenAnswers(flags: AnswerFlags, saved = ANSWERS_FILE): Record<string, unknown> {
  return {
    ...(existsSync(saved) ? readAnswerFile(saved) : {}),
    ...(flags.answers === undefined ? {} : readAnswerFile(flags.answers)),
    ...answersOfFlags(flags),
  };
}

/** Checks answers. Throws CommandFailure with all problems. */
export function parseAnswers(given: unknown): Answers {
  const parsed = answersSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new CommandFailure(`The answers are not complete:\n${parsed.error.issues.map(issueText).join('\n')}`);
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  return `  ${path.join('.')}: ${message}`;
}

function readAnswerFile(path: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  } catch {
    // The message of JSON.parse quotes the text, which contains passwords.
  }
  throw new CommandFailure(
    `${path} cannot be read as JSON.`,
    'See `paywatch install --help` for an example.',
  );
}

/** The answers in the flags. Throws UsageFailure for a URL with a password. */
export function answersOfFlags({ domain, btc, ltc, mail, mailFrom, backups }: AnswerFlags) {
  for (const url of [btc, ltc, mail]) assertNoPassword(url);
  const sources = { ...sourceOf('BTC', btc), ...sourceOf('LTC', ltc) };
  return {
    ...(domain === undefined ? {} : { domain }),
    ...(Object.keys(sources).length === 0 ? {} : { sources }),
    ...(mail === undefined ? {} : { mail: mailOf(mail, mailFrom, domain) }),
    ...(backups === undefined ? {} : { backups: backupsOf(backups) }),
  };
}

/** Every user of a machine can read the arguments of its processes. */
function assertNoPassword(url: string | undefined): void {
  if (url !== undefined && (URL.parse(url)?.password ?? '') !== '')
    throw new UsageFailure(
      'A URL with a password was given as an argument, which every user of this machine can read.',
      'Put it into a file that only root can read, and name the file with --answers.',
    );
}

function sourceOf(currency: string, url: string | undefined) {
  return url === undefined ? {} : { [currency]: chainSource(url) };
}

/** `esplora+https://…` or the URL of a node. */
export function chainSource(text: string): { kind: 'node' | 'esplora'; url: string } {
  const prefix = 'esplora+';
  return text.startsWith(prefix)
    ? { kind: 'esplora', url: text.slice(prefix.length) }
    : { kind: 'node', url: text };
}

/** `none`, or the URL of an SMTP server. */
export function mailOf(url: string, from: string | undefined, domain: string | undefined) {
  return url === 'none' ? null : { url, from: from ?? `Paywatch <no-reply@${domain ?? 'localhost'}>` };
}

/** `none`, or a folder. */
export function backupsOf(folder: string) {
  return folder === 'none' ? null : { folder, days: KEPT_DAYS };
}
