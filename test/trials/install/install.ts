import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  installOnFreshMachine,
  killProcesses,
  MACHINE_PROGRAMS,
  query,
  sellOverHttps,
  URL_UNDER_TRIAL,
  type Installation,
} from '../machine/install-machine.ts';
import type { Machine } from '../machine/machine.ts';
import { createTrial, type Recorder } from '../shared/record-trial.ts';

/**
 * Installs this tree on a fresh Debian that boots in a container, sells by it, kills all processes, and uninstalls it.
 */
export const run = createTrial(MACHINE_PROGRAMS, async (recorder) => {
  const installation = await installOnFreshMachine(recorder, null);
  await checkInstallation(recorder, installation);
  await sellOverHttps(recorder, installation);
  await checkBackup(recorder, installation.machine);
  await checkRecovery(recorder, installation);
  await uninstall(recorder, installation);
});

async function checkInstallation(
  { done, check }: Recorder,
  { machine, source, answers }: Installation,
): Promise<void> {
  const again = await machine.run('sh', `${source}/install.sh`, '--answers', answers);
  check(again.includes('Nothing changed.'), `a second run changed something:\n${again}`);
  const dry = await machine.run('sh', `${source}/install.sh`, '--dry-run');
  check(dry.includes('Nothing would change.'), `a dry run would change something:\n${dry}`);
  done('a second run changes nothing, and a dry run says so');
  const failed = await machine.run(
    'systemctl',
    'list-units',
    '--failed',
    '--plain',
    '--no-legend',
    'paywatch*',
  );
  check(failed === '', `units failed: ${failed}`);
  await checkSandbox(machine, check);
  done('all units run, as their user, with a private view of the secrets');
}

/** No user but root reads a secret, and no process has one in its environment or arguments. */
async function checkSandbox(machine: Machine, check: Recorder['check']): Promise<void> {
  const stolen = await machine.run(
    'sh',
    '-c',
    'runuser -u nobody -- cat /etc/paywatch/secrets/* 2>/dev/null || true',
  );
  check(stolen === '', 'another user reads the secrets');
  const secrets = join(machine.root, 'etc/paywatch/secrets');
  const pattern = readdirSync(secrets).map((name) => `-f /etc/paywatch/secrets/${name}`);
  const leak = await machine.run(
    'sh',
    '-c',
    `cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c -F ${pattern.join(' ')} || true`,
  );
  check(leak === '0', `${leak} secrets are in environments or arguments`);
  const users = await machine.run(
    'sh',
    '-c',
    `ps -o user= -p "$(systemctl show --property=MainPID --value 'paywatch-api@1' paywatch-watcher paywatch-webhook-worker | grep . | paste -sd,)" | sort -u`,
  );
  check(users === 'paywatch', `processes run as ${users}`);
}

async function checkBackup({ done, check }: Recorder, machine: Machine): Promise<void> {
  await machine.run('systemctl', 'start', 'paywatch-backup.service');
  const log = await machine.run('journalctl', '--unit=paywatch-backup', '--output=cat', '--no-pager');
  const counts = /compared: (\d+)\|(\d+)\|(\d+)\|(\d+)\|(\d+) rows/.exec(log)?.slice(1).map(Number) ?? [];
  const [, accounts = 0, invoices = 0, payments = 0, events = 0] = counts;
  check(
    accounts === 1 && invoices === 2 && payments === 2 && events >= 2,
    `the backup has the rows ${counts.join()}`,
  );
  done(`a backup is restored and compared: ${invoices} invoices, ${payments} payments, ${events} events`);
}

async function checkRecovery({ done, check }: Recorder, { machine, source }: Installation): Promise<void> {
  await killProcesses(machine);
  // It starts what systemd does not restart by itself, and waits until everything is ready.
  await machine.run('sh', `${source}/install.sh`);
  const { status } = await fetch(`${URL_UNDER_TRIAL}/v1/openapi.json`);
  check(status === 200, `after all processes were killed the API answers ${status}`);
  done('all processes are killed, and run again');
}

async function uninstall({ done, check }: Recorder, { machine, source }: Installation): Promise<void> {
  await machine.run('sh', `${source}/install.sh`, 'uninstall');
  const units = await machine.run(
    'sh',
    '-c',
    "systemctl list-unit-files --plain --no-legend 'paywatch*' | wc -l",
  );
  check(units === '0', `${units} units are left`);
  for (const path of ['opt/paywatch', 'usr/local/bin/paywatch', 'etc/caddy/paywatch.caddyfile'])
    check(!existsSync(join(machine.root, path)), `/${path} is left`);
  const invoices = await query(machine, 'select count(*) from invoices');
  check(Number(invoices) >= 2, `the database has ${invoices} invoices after uninstalling`);
  check(
    existsSync(join(machine.root, 'etc/paywatch/secrets/encryption_keys')),
    'the encryption keys are gone',
  );
  check(readdirSync(join(machine.root, 'var/backups/paywatch')).length > 0, 'the backups are gone');
  done(`uninstalling keeps the database with ${invoices} invoices, the secrets and the backups`);
}
