import { repositoryFolder } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { query } from '../machine/install-machine.ts';
import type { Machine } from '../machine/machine.ts';
import { callProgram } from '../shared/call-program.ts';

const BACKUPS = 'var/backups/paywatch';

/** What an operator keeps of a machine elsewhere: a folder with the paths of the machine. */
export type Kept = { folder: string; dump: string };

/** Copies the newest backup, settings, secrets and sources. The built release saves building it again. */
export async function keepElsewhere(
  { root }: Machine,
  folder: string,
  interrupted: AbortSignal,
): Promise<Kept> {
  const dump = readdirSync(join(root, BACKUPS)).toSorted().at(-1);
  if (dump === undefined) throw new Error('there is no backup');
  const paths = [
    join(BACKUPS, dump),
    'etc/paywatch',
    'root/source',
    'opt/paywatch/node',
    'opt/paywatch/releases',
  ];
  mkdirSync(folder);
  await callProgram('cp', ['--archive', '--parents', ...paths, folder], { cwd: root, interrupted });
  return { folder, dump: `/${join(BACKUPS, dump)}` };
}

/** Follows the guide "Install on a Debian server" and the runbook "Backup and restore", with their statement unchanged. */
export async function restoreOn(
  machine: Machine,
  source: string,
  { folder, dump }: Kept,
  interrupted: AbortSignal,
): Promise<void> {
  await callProgram('cp', ['--archive', `${folder}/.`, machine.root], { interrupted });
  await machine.run('sh', `${source}/install.sh`);
  await machine.run('systemctl', 'stop', 'paywatch-*');
  await machine.run('chown', 'postgres:postgres', dump);
  const restore = ['/opt/paywatch/scripts/restore', 'paywatch', 'paywatch_owner', dump];
  await machine.run('runuser', '-u', 'postgres', '--', ...restore);
  await machine.run('systemctl', 'start', 'paywatch-migrate');
  await query(machine, statementOfRunbook());
  await machine.run('systemctl', 'restart', 'redis-server@paywatch');
  await machine.run('systemctl', 'start', 'paywatch-watcher');
  await waitUntil(async () => isFresh(await machine.run('paywatch', 'chain', 'status')), {
    what: 'a fresh view of both chains',
    signal: interrupted,
  });
  await machine.run('sh', `${source}/install.sh`);
}

function isFresh(chains: string): boolean {
  return (chains.match(/fresh, checked/g) ?? []).length === 2;
}

/** The statement for lost transactions, unchanged. */
function statementOfRunbook(): string {
  const text = readFileSync(join(repositoryFolder, 'infra/runbooks/backup-and-restore.md'), 'utf8');
  const statement = /```sql\n(.*?)```/s.exec(text)?.[1];
  if (statement === undefined) throw new Error('the runbook has no statement');
  return statement;
}
