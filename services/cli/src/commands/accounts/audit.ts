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
    .description('the log of who changed what')
    .command('prune')
    .description(`delete lines that are older than ${AUDIT_KEPT_DAYS} days`)
    .addHelpText(
      'after',
      examples([['paywatch audit prune', 'once a day, by a scheduler']]) +
        `
Reads DATABASE_URL. Its role needs no more than DATABASE_RETENTION_ROLE of \`paywatch migrate\` has; the services' role
cannot delete a line.
`,
    )
    .action(line.action(() => prune(line.env)));
}

async function prune(env: Env): Promise<Answer> {
  return withDatabase(readDatabaseConfig(env), async (database) => {
    let deleted = 0;
    for (let batch = BATCH; batch === BATCH; deleted += batch)
      batch = await deleteOldAuditLines(database, BATCH);
    return { json: { deleted }, text: `Lines of the audit log deleted: ${deleted}.` };
  });
}
