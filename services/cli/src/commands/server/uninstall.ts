import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { givenAnswers, parseAnswers } from '../../install/answers/read-answers.ts';
import { localMachine, type Machine } from '../../install/machine/machine.ts';
import { planUninstall, type Removal } from '../../install/plan/plan-uninstall.ts';
import { CADDYFILE, SITE_LINE } from '../../install/parts/caddy.ts';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { examples } from '../../terminal/help.ts';
import { CommandFailure } from '../../terminal/failure.ts';

/** `paywatch uninstall` */
export function addUninstallCommand(program: Command, line: CommandLine): void {
  program
    .command('uninstall')
    .description('remove the programs and units from this machine; keep all data')
    .option('--dry-run', 'print what would be removed, and change nothing')
    .addHelpText(
      'after',
      examples([['paywatch uninstall --dry-run', 'what would be removed, and what stays']]),
    )
    .action(line.action((options: { dryRun?: boolean }) => uninstall(line, options.dryRun ?? false)));
}

async function uninstall(line: CommandLine, isDryRun: boolean): Promise<Answer> {
  if (!isDryRun && process.getuid?.() !== 0) throw new CommandFailure('Run this command as root.');
  const removal = planUninstall(parseAnswers(givenAnswers({})).backups?.folder ?? null);
  if (!isDryRun) remove(removal, localMachine(line.env));
  return Promise.resolve({
    json: { dry_run: isDryRun, removed: removal.paths, kept: removal.kept },
    text: [
      isDryRun ? 'This would be removed:' : 'Removed:',
      ...removal.paths.map((path) => `  ${path}`),
      'Kept:',
      ...removal.kept.map((thing) => `  ${thing}`),
    ].join('\n'),
  });
}

/** Safe to repeat. */
function remove({ units, paths }: Removal, machine: Machine): void {
  for (const unit of units) machine.ask('systemctl', ['disable', '--quiet', '--now', unit]);
  if (existsSync(CADDYFILE)) {
    const lines = readFileSync(CADDYFILE, 'utf8').split('\n');
    writeFileSync(CADDYFILE, lines.filter((text) => text !== SITE_LINE).join('\n'));
  }
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  machine.run('systemctl', ['daemon-reload']);
  machine.ask('systemctl', ['try-restart', 'caddy']);
  machine.ask('systemctl', ['disable', '--quiet', '--now', 'redis-server@paywatch']);
}
