import { repositoryFolder, routeRequests, runDemo, type DemoMerchant } from '@paywatch/dev/stack';
import type { Recorder } from '../shared/record-trial.ts';
import { bootMachine, copySource, type Machine } from './machine.ts';
import { DOMAIN, readAuthorityRoot, startSurroundings, type Surroundings } from './surroundings.ts';

/** The programs that booting a machine needs. */
export const MACHINE_PROGRAMS = ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip', 'iptables', 'git'];
export const URL_UNDER_TRIAL = `https://${DOMAIN}`;
/** The units of Paywatch on a machine. */
export const UNITS = ['paywatch-api@1', 'paywatch-api@2', 'paywatch-watcher', 'paywatch-webhook-worker'];

/** A machine on which `install.sh` of `source` has run. */
export type Installation = {
  machine: Machine;
  surroundings: Surroundings;
  /** The folder of the sources on the machine. */
  source: string;
  answers: string;
};

/** Boots a fresh Debian and installs a commit on it, or with null the working tree. */
export async function installOnFreshMachine(
  recorder: Recorder,
  commit: string | null,
): Promise<Installation> {
  const { parts, done } = recorder;
  const machine = await bootMachine(recorder, 'bookworm');
  parts.defer(() => machine.stop());
  done('a fresh Debian bookworm boots with its own systemd (systemd-nspawn)');
  const surroundings = await startSurroundings(recorder, machine);
  const answers = await surroundings.introduce(machine);
  done('regtest nodes, a merchant’s https endpoint and Debian’s pebble as ACME authority run');
  const source = await copySource(machine, 'source', repositoryFolder, commit);
  await machine.run('sh', `${source}/install.sh`, '--answers', answers);
  done(`install.sh of ${commit?.slice(0, 8) ?? 'this tree'} sets up the machine`);
  return { machine, surroundings, source, answers };
}

/** Sends our requests for the domain to the machine, and trusts its certificate authority. */
export async function trustMachine({ parts }: Recorder, machine: Machine): Promise<void> {
  const caPem = await readAuthorityRoot(machine);
  parts.defer(routeRequests({ host: DOMAIN, address: machine.address, caPem }));
}

/** Over https with the authority's certificate: register, wallets, orders, payments, webhooks, streams. */
export async function sellOverHttps(
  recorder: Recorder,
  { machine, surroundings: { payers, receiver } }: Installation,
): Promise<DemoMerchant> {
  await trustMachine(recorder, machine);
  const merchant = await runDemo({ url: URL_UNDER_TRIAL, payers, receiver }, recorder.terminal);
  recorder.done('orders in BTC and LTC are paid on regtest and confirmed, with signed webhooks');
  return merchant;
}

/** Kills the main process of every unit and server at once, as a crash does. */
export async function killProcesses(machine: Machine): Promise<void> {
  const servers = ['caddy', 'postgresql@15-main', 'redis-server@paywatch'];
  await machine.run('systemctl', 'kill', '--kill-whom=main', '--signal=KILL', ...UNITS, ...servers);
}

/** Runs a statement in the database of the machine and returns the rows, with `|` between columns. */
export function query(machine: Machine, statement: string): Promise<string> {
  const psql = ['psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', 'paywatch', '-c', statement];
  return machine.run('runuser', '-u', 'postgres', '--', ...psql);
}
