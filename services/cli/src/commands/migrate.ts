import { migrate, readSchemaState, type SchemaState } from '@paywatch/store/postgres';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../terminal/command-line.ts';
import { readMigrationConfig, type Env } from '../config.ts';
import { examples } from '../terminal/help.ts';
import { withDatabase } from '../open-store.ts';

/** `paywatch migrate` */
export function addMigrateCommand(program: Command, line: CommandLine): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .addHelpText(
      'after',
      examples([['paywatch migrate', 'before a new release starts; any number of times, also at once']]) +
        `
Reads DATABASE_URL, or DATABASE_DIRECT_URL where that one is a pool: the URL of the role that owns the schema. The services may have a role with
fewer rights: DATABASE_SERVICE_ROLE, DATABASE_RETENTION_ROLE and DATABASE_READ_ROLE name roles that are given theirs, and
DATABASE_SERVICE_PASSWORD and its siblings have them made.
`,
    )
    .action(line.action(() => migrateDatabase(line.env)));
}

async function migrateDatabase(env: Env): Promise<Answer> {
  const config = readMigrationConfig(env);
  return withDatabase(config, async (database) => {
    const before = await readSchemaState(database);
    await migrate(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL, config.roles, config.passwords);
    return migrationAnswer(before, await readSchemaState(database));
  });
}

function migrationAnswer(before: SchemaState, after: SchemaState): Answer {
  const applied = after.applied - before.applied;
  return {
    json: { applied, total: after.applied },
    text:
      applied === 0
        ? 'The schema is up to date.'
        : `Applied ${applied} migration${applied === 1 ? '' : 's'}: the schema is up to date.`,
  };
}
