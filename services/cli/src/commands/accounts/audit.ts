import { deleteOldAuditLines } from '@paywatch/store/accounts';
import { AUDIT_KEPT_DAYS } from '@paywatch/store/postgres';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../../terminal/command-line.ts';
import { readDatabaseConfig, type Env } from '../../config.ts';
import { examples } from '../../terminal/help.ts';
import { withDatabase } from '../../open-store.ts';

const BATCH = 1000;

/** `paywatch audit …` */
export function addAuditCommands(program: Command, line: CommandLine): void {
  program
    .command('audit')
    .description('the audit log')
    .command('prune')
    .description(`delete entries older than ${AUDIT_KEPT_DAYS} days`)
    .addHelpText(
      'after',
      examples([['paywatch audit prune', 'run it daily with a scheduler']]) +
        `
Reads DATABASE_URL. Use the retention role (see DATABASE_RETENTION_ROLE of \`paywatch migrate\`); the role of the services
cannot delete entries.
`,
    )
    .action(line.action(() => prune(line.env)));
}

async function prune(env: Env): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    let deleted = 0;
    for (let batch = BATCH; batch === BATCH; deleted += batch)
      batch = await deleteOldAuditLines(database, BATCH);
    return { json: { deleted }, text: `Deleted ${deleted} audit log entries.` };
  });
}
