import { repositoryFolder, routeRequests, runDemo, type DemoMerchant } from '@paywatch/dev/stack';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { recordTrial, type Recorder } from '../shared/record-trial.ts';
import type { TrialResult } from '../shared/trial-result.ts';
import { bootMachine, copySource, type Machine } from './machine.ts';
import { startConstantRequests } from './constant-requests.ts';
import { DOMAIN, readAuthorityRoot, startSurroundings, type Surroundings } from './surroundings.ts';

const PROGRAMS = ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip', 'iptables', 'git'];
const URL_UNDER_TRIAL = `https://${DOMAIN}`;

/**
 * Installs the commit before on a fresh Debian that boots in a container, sells by it, upgrades it to this tree while requests run, and
 * uninstalls it.
 */
export function run(report: (step: string) => void): Promise<TrialResult> {
  return recordTrial(report, PROGRAMS, async (recorder) => {
    const machine = await bootMachine(recorder.folder, 'bookworm');
    recorder.parts.defer(() => machine.stop());
    recorder.done('a fresh Debian bookworm boots with its own systemd (systemd-nspawn)');
    const surroundings = await startSurroundings(recorder, machine);
    recorder.done('regtest nodes, a merchant’s https endpoint and Debian’s pebble as ACME authority run');
    await install(recorder, machine, surroundings);
    const merchant = await tellStory(recorder, machine, surroundings);
    await checkBackup(recorder, machine);
    await upgrade(recorder, machine, merchant);
    await killProcesses(recorder, machine);
    await uninstall(recorder, machine);
  });
}

async function install(
  { done, check }: Recorder,
  machine: Machine,
  { answers }: Surroundings,
): Promise<void> {
  const before = previousCommit();
  const source = await copySource(machine, 'before', repositoryFolder, before);
  await machine.run('sh', `${source}/install.sh`, '--answers', answers);
  done(`install.sh of ${before.slice(0, 8)} sets up the machine`);
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

/** Over https with the authority's certificate: register, wallets, orders, payments, webhooks, streams. */
async function tellStory(
  recorder: Recorder,
  machine: Machine,
  { payers, receiver }: Surroundings,
): Promise<DemoMerchant> {
  const caPem = await readAuthorityRoot(machine);
  recorder.parts.defer(routeRequests({ host: DOMAIN, address: machine.address, caPem }));
  const merchant = await runDemo({ url: URL_UNDER_TRIAL, payers, receiver }, recorder.terminal);
  recorder.done('orders in BTC and LTC are paid on regtest and confirmed, with signed webhooks');
  return merchant;
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

async function upgrade(recorder: Recorder, machine: Machine, merchant: DemoMerchant): Promise<void> {
  const { done, check } = recorder;
  const source = await copySource(machine, 'now', repositoryFolder, null);
  const payUrl = merchant.payUrls[0] ?? URL_UNDER_TRIAL;
  const requests = startConstantRequests(URL_UNDER_TRIAL, { apiKey: merchant.apiKey, payUrl });
  const before = await machine.run('readlink', '/opt/paywatch/current');
  await machine.run('sh', `${source}/install.sh`, 'upgrade');
  const { count, failures } = await requests.stop();
  check(
    failures.length === 0,
    `${failures.length} of ${count} requests failed: ${failures.slice(0, 5).join('; ')}`,
  );
  check(count > 100, `only ${count} requests ran during the upgrade`);
  check((await machine.run('readlink', '/opt/paywatch/current')) !== before, 'the program did not change');
  done(
    `upgrade to this tree, built and restarted one by one: ${failures.length} of ${count} requests failed`,
  );
  await failUpgrade(recorder, machine, merchant);
}

/** A release whose API does not start: the upgrade fails, and the program before serves again. */
async function failUpgrade(
  { done, check }: Recorder,
  machine: Machine,
  merchant: DemoMerchant,
): Promise<void> {
  const release = await machine.run('readlink', '/opt/paywatch/current');
  await machine.run('cp', '--archive', release, `${release}-broken`);
  await machine.run('sh', '-c', `echo 'process.exit(7);' > ${release}-broken/bundles/api.mjs`);
  const requests = startConstantRequests(URL_UNDER_TRIAL, {
    apiKey: merchant.apiKey,
    payUrl: merchant.payUrls[0] ?? URL_UNDER_TRIAL,
  });
  const node = `${release}/node/bin/node`;
  const error = await machine.run(node, `${release}-broken/bundles/cli.mjs`, 'upgrade').then(
    () => 'none',
    (reason: Error) => reason.message,
  );
  const { count, failures } = await requests.stop();
  check(error.includes('is not ready'), `the upgrade to a broken release ended with: ${error}`);
  check((await machine.run('readlink', '/opt/paywatch/current')) === release, 'the program did not return');
  check(
    failures.length === 0,
    `${failures.length} of ${count} requests failed: ${failures.slice(0, 5).join('; ')}`,
  );
  await machine.run('systemctl', 'is-active', ...UNITS);
  done(`a release that does not start is taken back: ${failures.length} of ${count} requests failed`);
}

const UNITS = ['paywatch-api@1', 'paywatch-api@2', 'paywatch-watcher', 'paywatch-webhook-worker'];

async function killProcesses({ done, check }: Recorder, machine: Machine): Promise<void> {
  await machine.run(
    'systemctl',
    'kill',
    '--signal=KILL',
    ...UNITS,
    'caddy',
    'postgresql@15-main',
    'redis-server@paywatch',
  );
  const source = '/root/now/install.sh';
  // It starts what systemd does not restart by itself, and waits until everything is ready.
  await machine.run('sh', source);
  const { status } = await fetch(`${URL_UNDER_TRIAL}/v1/openapi.json`);
  check(status === 200, `after all processes were killed the API answers ${status}`);
  done('all processes are killed, and run again');
}

async function uninstall({ done, check }: Recorder, machine: Machine): Promise<void> {
  await machine.run('sh', '/root/now/install.sh', 'uninstall');
  const units = await machine.run(
    'sh',
    '-c',
    "systemctl list-unit-files --plain --no-legend 'paywatch*' | wc -l",
  );
  check(units === '0', `${units} units are left`);
  for (const path of ['opt/paywatch', 'usr/local/bin/paywatch', 'etc/caddy/paywatch.caddyfile'])
    check(!existsSync(join(machine.root, path)), `/${path} is left`);
  const invoices = await machine.run(
    'runuser',
    '-u',
    'postgres',
    '--',
    'psql',
    '-XAt',
    '-d',
    'paywatch',
    '-c',
    'select count(*) from invoices',
  );
  check(Number(invoices) >= 2, `the database has ${invoices} invoices after uninstalling`);
  check(
    existsSync(join(machine.root, 'etc/paywatch/secrets/encryption_keys')),
    'the encryption keys are gone',
  );
  check(readdirSync(join(machine.root, 'var/backups/paywatch')).length > 0, 'the backups are gone');
  done(`uninstalling keeps the database with ${invoices} invoices, the secrets and the backups`);
}

function previousCommit(): string {
  return execFileSync('git', ['rev-parse', 'HEAD~1'], { cwd: repositoryFolder, encoding: 'utf8' }).trim();
}
