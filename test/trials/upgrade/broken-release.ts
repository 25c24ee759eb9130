import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Machine } from '../machine/machine.ts';

/** Makes a copy of a release that cannot work. `error` is in what its upgrade says. */
export type BrokenRelease = (
  machine: Machine,
  release: string,
) => Promise<{ what: string; program: string; error: string }>;

/** Its API exits at once. */
export const failProgram: BrokenRelease = async (machine, release) => {
  const copy = await copyRelease(machine, release, 'program');
  writeFileSync(join(machine.root, copy, 'bundles/api.mjs'), 'process.exit(7);\n');
  return { what: 'a release that does not start', program: programOf(copy), error: 'is not ready' };
};

const journalShape = z.looseObject({
  entries: z.array(z.looseObject({ idx: z.number(), when: z.number() })),
});

/** Its migration changes a table, and then fails. */
export const failMigration: BrokenRelease = async (machine, release) => {
  const copy = await copyRelease(machine, release, 'migration');
  const migrations = join(machine.root, copy, 'packages/store/migrations');
  const file = join(migrations, 'meta/_journal.json');
  const journal = journalShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error('the release has no migrations');
  const tag = '9999_fails';
  const entry = { ...last, idx: last.idx + 1, when: last.when + 1, tag };
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  const statements = ['alter table invoices add column trial integer;', 'select 1 / 0;'];
  writeFileSync(join(migrations, `${tag}.sql`), statements.join('--> statement-breakpoint\n'));
  return {
    what: 'a release whose migration fails',
    program: programOf(copy),
    error: 'paywatch-migrate.service failed',
  };
};

async function copyRelease(machine: Machine, release: string, what: string): Promise<string> {
  const copy = `${release}-broken-${what}`;
  await machine.run('cp', '--archive', release, copy);
  return copy;
}

function programOf(release: string): string {
  return `${release}/bundles/cli.mjs`;
}
