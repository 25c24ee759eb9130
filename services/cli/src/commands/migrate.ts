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
    .description('update the schema of the database')
    .addHelpText(
      'after',
      examples([
        ['paywatch migrate', 'before you start a new release; safe to repeat and to run concurrently'],
      ]) +
        `
Reads DATABASE_URL, the URL of the role that owns the schema, or DATABASE_DIRECT_URL if DATABASE_URL is a connection pooler.
Grants the roles named by DATABASE_SERVICE_ROLE, DATABASE_RETENTION_ROLE and DATABASE_READ_ROLE their rights. Creates a role
whose password is set: DATABASE_SERVICE_PASSWORD, DATABASE_RETENTION_PASSWORD, DATABASE_READ_PASSWORD.
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
        : `Applied ${applied} migration${applied === 1 ? '' : 's'}. The schema is up to date.`,
  };
}
