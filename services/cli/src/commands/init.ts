import { Option, type Command } from 'commander';
import type { ChainChoice, ComposeAnswers } from '../init/compose-answers.ts';
import { initCompose, type InitOutcome } from '../init/init-compose.ts';
import { parseDomain, parseEmail } from '../terminal/arguments.ts';
import type { Answer, CommandLine } from '../terminal/command-line.ts';
import { UsageFailure } from '../terminal/failure.ts';
import { examples } from '../terminal/help.ts';

type InitOptions = { compose: string; domain?: string; email?: string; btc: ChainChoice; ltc: ChainChoice };

/** `paywatch init` */
export function addInitCommand(program: Command, line: CommandLine): void {
  program
    .command('init')
    .description('create .env and all secrets of a Compose deployment')
    .requiredOption('--compose <folder>', 'folder that contains compose.yaml and .env.example')
    .option(
      '--domain <name>',
      'domain of the pages and the API, for which Caddy gets a certificate',
      parseDomain,
    )
    .option('--email <address>', 'receives mail of the certificate authority, and alerts', parseEmail)
    .addOption(chainOption('btc', 'Bitcoin'))
    .addOption(chainOption('ltc', 'Litecoin'))
    .addHelpText(
      'after',
      examples([
        [
          'paywatch init --compose . --domain pay.example --email ops@pay.example --btc node --ltc node',
          'TLS, and a pruned node for each currency',
        ],
        ['paywatch init --compose . --btc esplora', 'plain HTTP on this machine, public Esplora server'],
      ]) + SOURCES,
    )
    .action(line.action((options: InitOptions) => init(line, options)));
}

const SOURCES = `
Existing files keep their contents, so the command is safe to repeat. MAIL_URL, MAIL_FROM, BTC_NODE_URL and LTC_NODE_URL of the
environment, or of an existing .env, are written into the secrets.

Sources of a chain:
  node      a pruned node that Compose runs. It validates every block itself. The first download takes hours to days.
  esplora   a public server. You trust it that its mempool is complete, and its operator sees your addresses.
  none      write the URL of your node to secrets/btc_node_url or secrets/ltc_node_url.
`;

function chainOption(name: string, chain: string): Option {
  return new Option(`--${name} <source>`, `where ${chain} is read`)
    .choices(['node', 'esplora', 'none'])
    .default('none');
}

async function init(line: CommandLine, options: InitOptions): Promise<Answer> {
  const outcome = await initCompose(options.compose, answersOf(options), line.env);
  return { json: outcome, text: outcomeText(outcome) };
}

function answersOf({ domain, email, btc, ltc }: InitOptions): ComposeAnswers {
  if (domain !== undefined && email === undefined)
    throw new UsageFailure('--domain requires --email, the account at the certificate authority.');
  return { domain: domain ?? null, email: email ?? null, chains: { BTC: btc, LTC: ltc } };
}

const OPERATOR =
  'To become the operator, register at PUBLIC_URL/account/register#operator with the code in secrets/operator_code.';

function outcomeText({ created, kept }: InitOutcome): string {
  if (created.length === 0) return 'Nothing to do: all files exist.';
  return [
    `Created ${created.join(', ')}.`,
    ...(kept.length > 0 ? [`Kept ${kept.length} existing files.`] : []),
    'Store a copy of secrets/encryption_keys separately from the backups of the database.',
    ...(created.includes('secrets/operator_code') ? [OPERATOR] : []),
    ...(created.includes('.env')
      ? ['Read .env, then start: docker compose up -d']
      : ['.env is unchanged. .env.example lists all variables.']),
  ].join('\n');
}
