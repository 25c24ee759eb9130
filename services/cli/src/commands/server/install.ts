import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { askMissing } from '../../install/answers/ask.ts';
import { givenAnswers, parseAnswers, type AnswerFlags } from '../../install/answers/read-answers.ts';
import type { Answers } from '../../install/answers/answers.ts';
import { apply } from '../../install/machine/apply.ts';
import { localMachine } from '../../install/machine/machine.ts';
import { readFacts } from '../../install/machine/read-facts.ts';
import { SERVICE_UNITS } from '../../install/paths.ts';
import { planInstall } from '../../install/plan/plan-install.ts';
import { readOrGenerateSecrets } from '../../install/plan/secrets.ts';
import { installSummary } from '../../install/summary.ts';
import { waitUntilReady } from '../../install/wait-until-ready.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { CommandFailure } from '../../terminal/failure.ts';
import { examples } from '../../terminal/help.ts';

type Options = AnswerFlags & { dryRun?: boolean };

/** `paywatch install` */
export function addInstallCommand(program: Command, line: CommandLine): void {
  program
    .command('install')
    .description('set up this Debian machine; run by install.sh')
    .option('--domain <name>', 'where payers reach you; its DNS points to this machine')
    .option('--btc <url>', 'your Bitcoin node, or esplora+https://…')
    .option('--ltc <url>', 'your Litecoin node, or esplora+https://…')
    .option('--mail <url>', 'SMTP server, or none')
    .option('--mail-from <sender>', 'sender of mails')
    .option('--backups <folder>', 'folder for nightly backups, or none')
    .option('--answers <file>', 'JSON file with the answers')
    .option('--dry-run', 'print what would change, and change nothing')
    .addHelpText('after', HELP)
    .action(line.action((options: Options) => install(line, options)));
}

const HELP =
  examples([
    ['paywatch install', 'apply the answers again; the first time run `sh install.sh`'],
    ['paywatch install --answers answers.json', 'ask nothing'],
    ['paywatch install --dry-run', 'print what would change'],
  ]) +
  `
The file keeps passwords out of the arguments, which every user can read:
  {
    "domain": "pay.example.com",
    "sources": {
      "BTC": { "kind": "node", "url": "http://user:password@10.0.0.5:8332" },
      "LTC": { "kind": "esplora", "url": "https://litecoinspace.org/api" }
    },
    "mail": { "url": "smtps://user:password@mail.example.com:465", "from": "Shop <no-reply@example.com>" },
    "backups": { "folder": "/var/backups/paywatch", "days": 14 }
  }
Answers are kept in /etc/paywatch/answers.json. Running it again changes only what differs.
`;

async function install(line: CommandLine, options: Options): Promise<Answer> {
  const isDryRun = options.dryRun ?? false;
  if (!isDryRun && process.getuid?.() !== 0) throw new CommandFailure('Run this command as root.');
  const facts = readFacts(fileURLToPath(import.meta.url));
  assertNoUpgrade(facts.installed, facts.release);
  const answers = parseAnswers(await askMissing(line, givenAnswers(options)));
  const steps = planInstall(answers, facts, readOrGenerateSecrets());
  const changes = apply(steps, localMachine(line.env), {
    isDryRun,
    report: (text) => void (line.isJson || line.showProgress(text)),
  });
  if (!isDryRun) await Promise.all(SERVICE_UNITS.map(waitUntilReady));
  return installAnswer(answers, changes, isDryRun);
}

/** Another release may need migrations, and restarts one by one. */
function assertNoUpgrade(installed: string | null, release: string): void {
  if (installed !== null && installed !== release)
    throw new CommandFailure(
      `Release ${installed} is installed.`,
      'Run `sh install.sh upgrade` to change it.',
    );
}

function installAnswer(answers: Answers, changes: readonly string[], isDryRun: boolean): Answer {
  const nothing = isDryRun ? 'Nothing would change.' : 'Nothing changed.';
  const list = changes.map((change) => `  ${change}`).join('\n');
  const heading = isDryRun ? 'This would change:' : 'Changed:';
  return {
    json: { dry_run: isDryRun, changes },
    text: `${changes.length === 0 ? nothing : `${heading}\n${list}`}\n\n${installSummary(answers)}`,
  };
}
