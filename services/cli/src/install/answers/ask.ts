import { createInterface } from 'node:readline/promises';
import type { CommandLine } from '../../terminal/command-line.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { SOURCE_GUARANTEES } from '../source-guarantees.ts';
import { backupsOf, chainSource, mailOf } from './read-answers.ts';

type Ask = (question: string, fallback: string) => Promise<string>;

/** Asks the questions that `given` does not answer, on the terminal. Without a terminal it throws CommandFailure. */
export async function askMissing(
  line: CommandLine,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const missing = ['domain', 'sources', 'mail', 'backups'].filter((name) => given[name] === undefined);
  if (missing.length === 0) return given;
  if (line.stdin.isTTY !== true)
    throw new CommandFailure(
      `Not answered: ${missing.join(', ')}.`,
      'Run it in a terminal, or give the answers as options or with --answers FILE.',
    );
  const terminal = createInterface({ input: line.stdin, output: line.stderr });
  const ask: Ask = async (question, fallback) =>
    (await terminal.question(`${question}${fallback === '' ? '' : ` [${fallback}]`}: `)).trim() || fallback;
  try {
    return await askEach(ask, given);
  } finally {
    terminal.close();
  }
}

/** The five questions: domain, currencies, the source of each, email, backups. */
async function askEach(ask: Ask, given: Record<string, unknown>): Promise<Record<string, unknown>> {
  const domain =
    typeof given['domain'] === 'string'
      ? given['domain']
      : await ask('1. Domain, whose DNS points to this machine', '');
  const sources = given['sources'] ?? (await askSources(ask));
  const mail = given['mail'] === undefined ? await askMail(ask, domain) : given['mail'];
  const backups =
    given['backups'] === undefined
      ? backupsOf(await ask('5. Folder for nightly backups, or none', '/var/backups/paywatch'))
      : given['backups'];
  return { ...given, domain, sources, mail, backups };
}

async function askSources(ask: Ask): Promise<Record<string, unknown>> {
  const currencies = (await ask('2. Currencies', 'BTC,LTC')).toUpperCase().split(/[\s,]+/);
  const sources: Record<string, unknown> = {};
  for (const currency of currencies) {
    const question = `3. Where ${currency} is read (http://user:password@host:port of your node, or esplora+https://…)\n${SOURCE_GUARANTEES}\n  ${currency}`;
    sources[currency] = chainSource(await ask(question, ''));
  }
  return sources;
}

async function askMail(ask: Ask, domain: string) {
  return mailOf(
    await ask('4. SMTP server (smtps://user:password@host:465), or none', 'none'),
    undefined,
    domain,
  );
}
