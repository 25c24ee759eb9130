import { migrate, readSchemaState, type SchemaState } from '@paywatch/store';
import type { Command } from 'commander';
import type { Answer, CommandLine } from '../command-line.ts';
import { readDatabaseConfig, type Env } from '../config.ts';
import { examples } from '../help.ts';
import { withDatabase } from '../open-store.ts';

/** `paywatch migrate` */
export function addMigrateCommand(program: Command, line: CommandLine): void {
  program
    .command('migrate')
    .description('bring the schema of the database up to date')
    .addHelpText(
      'after',
      examples([['paywatch migrate', 'before a new release starts; any number of times, also at once']]) +
        '\nReads DATABASE_URL, or DATABASE_DIRECT_URL where that one is a pool.\n',
    )
    .action(line.action(() => migrateDatabase(line.env)));
}

async function migrateDatabase(env: Env): Promise<Answer> {
  const config = readDatabaseConfig(env);
  return withDatabase(config, async (database) => {
    const before = await readSchemaState(database);
    await migrate(config.DATABASE_DIRECT_URL ?? config.DATABASE_URL);
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
