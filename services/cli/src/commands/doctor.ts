import type { Finding } from '@paywatch/domain/deployment';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../terminal/command-line.ts';
import type { Env } from '../config.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { examples } from '../terminal/help.ts';
import { shown } from '../terminal/text.ts';

/** `paywatch doctor` */
export function addDoctorCommand(program: Command, line: CommandLine): void {
  program
    .command('doctor')
    .description('check all servers and settings')
    .addHelpText(
      'after',
      examples([
        ['paywatch doctor', 'before the first start, or to find a problem'],
        ['paywatch doctor --json', 'for monitoring; warnings do not change exit code 0'],
      ]) +
        `
Run it in the environment of the services. It reads DATABASE_URL, REDIS_URL, PUBLIC_URL, ENCRYPTION_KEYS, and for BTC and LTC
*_NODE_URL, *_ESPLORA_URL and *_NETWORK. It also checks the disk of this machine and, if "paywatch install" has set it up, its backups
and its time source.
`,
    )
    .action(line.action(() => examine(line.env)));
}

async function examine(env: Env): Promise<Answer> {
  const findings = await diagnose(env);
  const failures = findings.filter(({ status }) => status === 'failed').length;
  const isHealthy = failures === 0;
  return {
    json: { healthy: isHealthy, checks: findings },
    text: `${findings.map(findingText).join('\n')}\n\n${summary(findings, failures)}`,
    hasProblem: !isHealthy,
  };
}

const MARKS = { ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ', skipped: 'skipped' } as const;

function findingText({ check, status, detail, advice }: Finding): string {
  // A configuration error may have several lines.
  const line = `${MARKS[status]}  ${check}: ${detail
    .split(/\s*\n\s*/)
    .map(shown)
    .join(' ')}`;
  return advice === null ? line : `${line}\n         -> ${advice}`;
}

function summary(findings: readonly Finding[], failures: number): string {
  const warnings = findings.filter(({ status }) => status === 'warning').length;
  if (failures > 0) return `${failures} of ${findings.length} checks failed.`;
  return warnings > 0 ? `All checks passed, ${warnings} with a warning.` : 'All checks passed.';
}
