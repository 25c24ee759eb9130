import { removeFolder, waitUntil } from '@paywatch/dev/testing';
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callProgram, isEnded } from '../shared/call-program.ts';
import type { Recorder } from '../shared/record-trial.ts';

const FORWARDING = '/proc/sys/net/ipv4/ip_forward';
/** Certificates that this machine trusts besides Debian's: the installer's downloads may pass a proxy that needs them. */
const OWN_AUTHORITIES = '/usr/local/share/ca-certificates';

/** A freshly bootstrapped Debian that runs its own systemd in a container, with an address of its own. */
export type Machine = {
  /** Its root folder, seen from here. */
  root: string;
  address: string;
  /** The address by which it reaches us. */
  ourAddress: string;
  /** Runs a program as its root, and returns the output. Throws with the end of it for another exit code than 0. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  /** Stops it and deletes its files. */
  stop(): Promise<void>;
};

type Trial = Pick<Recorder, 'folder' | 'interrupted'>;

/** Bootstraps a Debian release into the folder and boots it. `DEBIAN_ROOT` may name a bootstrapped root to copy instead. */
export async function bootMachine({ folder, interrupted }: Trial, release: string): Promise<Machine> {
  const parts = new AsyncDisposableStack();
  const root = join(folder, 'machine');
  parts.defer(() => removeFolder(root));
  try {
    await bootstrap(root, release, interrupted);
    return await boot(parts, root, interrupted);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function bootstrap(root: string, release: string, interrupted: AbortSignal): Promise<void> {
  const given = process.env['DEBIAN_ROOT'];
  const include = '--include=systemd,systemd-sysv,dbus';
  if (given) await callProgram('cp', ['--archive', given, root], { interrupted });
  else
    await callProgram('debootstrap', [include, release, root, 'http://deb.debian.org/debian'], {
      interrupted,
    });
  if (existsSync(OWN_AUTHORITIES) && readdirSync(OWN_AUTHORITIES).length > 0)
    cpSync(OWN_AUTHORITIES, join(root, OWN_AUTHORITIES), { recursive: true });
}

async function boot(parts: AsyncDisposableStack, root: string, interrupted: AbortSignal): Promise<Machine> {
  const subnet = `10.213.${process.pid % 256}`;
  const name = `pw${process.pid}`;
  const options = [
    '--register=no',
    '--keep-unit',
    '--boot',
    '--network-veth',
    '--console=read-only',
    '--quiet',
  ];
  const container = spawn('systemd-nspawn', [...options, `--machine=${name}`, `--directory=${root}`], {
    stdio: 'ignore',
    // Ctrl-C reaches us alone: systemd-nspawn ends after its init.
    detached: true,
  });
  const exited = new Promise<void>((resolve) => container.on('exit', () => resolve()));
  parts.defer(() =>
    rmSync(join('/run/systemd/nspawn/propagate', 'machine'), { recursive: true, force: true }),
  );
  parts.defer(async () => {
    container.kill('SIGTERM');
    await exited;
  });
  const init = await waitUntil(() => initOf(container.pid ?? 0), {
    what: 'the init of the machine',
    signal: interrupted,
  });
  // Ends everything in the machine; systemd-nspawn then removes the network and exits. Its own death would leave both behind.
  parts.defer(() => killInit(Number(init)));
  const enter = (...args: readonly string[]) =>
    callProgram('nsenter', ['--target', init, '--all', ...args], { interrupted });
  const run: Machine['run'] = (program, ...args) => enter('env', '-i', ...environment(), program, ...args);
  await connect(parts, { subnet, name, init, interrupted });
  // `degraded` would be fine as well: units of Debian that a container cannot run.
  await waitUntil(
    () => run('systemctl', 'show', '--property=SystemState').then((state) => /running|degraded/.test(state)),
    {
      what: 'systemd of the machine',
      signal: interrupted,
    },
  );
  return {
    root,
    address: `${subnet}.2`,
    ourAddress: `${subnet}.1`,
    run,
    stop: () => parts.disposeAsync(),
  };
}

function killInit(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isEnded(error)) throw error;
  }
}

/** The registry of npm and the authorities of this machine, which the installer needs to reach the same packages. */
function environment(): string[] {
  const names = ['NPM_CONFIG_REGISTRY', 'npm_config_registry'];
  const registry = names.map((name) => process.env[name]).find(Boolean);
  return [
    'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'HOME=/root',
    'LANG=C.UTF-8',
    'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
    ...(registry === undefined ? [] : [`NPM_CONFIG_REGISTRY=${registry}`]),
  ];
}

/** The init of the container. systemd-nspawn starts and ends other children before it. */
async function initOf(pid: number): Promise<string | undefined> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  for (const child of children)
    if ((await readFile(`/proc/${child}/comm`, 'utf8')).trim() === 'systemd') return child;
  return undefined;
}

type Link = { subnet: string; name: string; init: string; interrupted: AbortSignal };

/** A network between us and the machine, and by us to the packages of Debian and npm. Undone when the trial ends. */
async function connect(
  parts: AsyncDisposableStack,
  { subnet, name, init, interrupted }: Link,
): Promise<void> {
  const inside = (...args: string[]) => callProgram('nsenter', ['--target', init, '--net', 'ip', ...args]);
  await waitUntil(
    () => callProgram('ip', ['address', 'add', `${subnet}.1/24`, 'dev', `ve-${name}`]).then(() => true),
    {
      what: 'the network of the machine',
      signal: interrupted,
    },
  );
  await callProgram('ip', ['link', 'set', `ve-${name}`, 'up']);
  await inside('address', 'add', `${subnet}.2/24`, 'dev', 'host0');
  await inside('link', 'set', 'host0', 'up');
  await inside('route', 'add', 'default', 'via', `${subnet}.1`);
  const forwarding = await readFile(FORWARDING, 'utf8');
  await writeFile(FORWARDING, '1');
  parts.defer(() => writeFile(FORWARDING, forwarding));
  const rule = [
    'POSTROUTING',
    '--source',
    `${subnet}.0/24`,
    '!',
    '--destination',
    `${subnet}.0/24`,
    '--jump',
    'MASQUERADE',
  ];
  await callProgram('iptables', ['--table', 'nat', '--append', ...rule]);
  parts.defer(async () => void (await callProgram('iptables', ['--table', 'nat', '--delete', ...rule])));
}

/** Copies the files of a commit, or with null those of the working tree, to /root/NAME of the machine. */
export async function copySource(
  { root }: Machine,
  name: string,
  repository: string,
  commit: string | null,
): Promise<string> {
  const target = join(root, 'root', name);
  mkdirSync(target, { recursive: true });
  const list =
    commit === null
      ? 'git ls-files --cached --others --exclude-standard -z | xargs -0 ls -d 2> /dev/null | tar -cf - -T -'
      : 'git archive --format=tar "$2"';
  await callProgram('sh', [
    '-c',
    `cd "$1" && ${list} | tar -xf - -C "$3"`,
    'sh',
    repository,
    commit ?? '',
    target,
  ]);
  return `/root/${name}`;
}
