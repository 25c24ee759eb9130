import { findProblems, problemText } from '@paywatch/domain/deployment';
import { pause } from '@paywatch/runtime/process';
import type { Database } from '@paywatch/store/postgres';
import type { Command } from 'commander';
import { readDatabaseConfig, type Env } from '../config.ts';
import { withDatabase } from '../open-store.ts';
import { readStatus } from '../status/read-status.ts';
import { statusJson, statusText } from '../status/status-text.ts';
import type { Answer, CommandLine } from '../terminal/command-line.ts';
import { examples } from '../terminal/help.ts';

const WATCH_INTERVAL_MS = 2000;

/** `paywatch status` */
export function addStatusCommand(program: Command, line: CommandLine): void {
  program
    .command('status')
    .description('show the state of the deployment on one screen')
    .option('--watch', 'repeat every two seconds until you press Ctrl-C')
    .addHelpText(
      'after',
      examples([
        ['paywatch status', 'chains, pools, webhooks, mail, Redis; exit code 1 if there is a problem'],
        ['paywatch status --watch', 'follow an upgrade'],
        ['paywatch status --json', 'for monitoring'],
      ]) +
        '\nReads DATABASE_URL, REDIS_URL and MAIL_URL. It does not call the nodes: `paywatch doctor` does.\n',
    )
    .action(
      line.action(({ watch = false }: { watch?: boolean }) =>
        withDatabase(readDatabaseConfig(line.env), (database) => showStatus(line, database, watch)),
      ),
    );
}

async function showStatus(line: CommandLine, database: Database, watch: boolean): Promise<Answer> {
  for (;;) {
    const answer = await takeStatus(line.env, database);
    if (!watch) return answer;
    line.showScreen(answer);
    await pause(WATCH_INTERVAL_MS);
  }
}

async function takeStatus(env: Env, database: Database): Promise<Answer> {
  const status = await readStatus(env, database);
  const problems = findProblems(status).map(problemText);
  return {
    json: statusJson(status, problems),
    text: statusText(status, problems),
    hasProblem: problems.length > 0,
  };
}
