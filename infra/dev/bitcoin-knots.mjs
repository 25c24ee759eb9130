/**
 * Downloads Bitcoin Knots, a fork of Bitcoin Core, from Debian unstable without installing it: apt downloads the signed packages with a
 * separate sources list, and they are unpacked with their C library into the user's cache.
 * Plain JavaScript: bootstrap.mjs runs it on the system's Node.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** The second package satisfies a dependency without systemd, which is only needed to create a system user. */
const PACKAGES = ['bitcoin-knots', 'systemd-standalone-sysusers'];
const LOADERS = { x64: 'ld-linux-x86-64.so.2', arm64: 'ld-linux-aarch64.so.1' };
const LIBRARIES = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };
const WITHIN_MS = 240_000;

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'paywatch');
const folder = join(cache, 'bitcoin-knots');

/** The path of its bitcoind; undefined if it is not downloaded. */
export function findBitcoinKnots() {
  const launcher = join(folder, 'bitcoind');
  return existsSync(launcher) ? launcher : undefined;
}

/** Downloads it if it is missing. If that fails, prints the reason, and bcoin is used. Safe to run concurrently. */
export function provideBitcoinKnots(say) {
  if (findBitcoinKnots() !== undefined || !isPossible()) return;
  say('downloading bitcoin-knots from Debian to the cache');
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'bitcoin-knots-'));
  try {
    download(work);
    unpack(work);
    if (findBitcoinKnots() === undefined) renameSync(join(work, 'root'), folder);
  } catch (error) {
    say(`bitcoin-knots could not be downloaded, using bcoin instead: ${error.message}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function isPossible() {
  const programs = ['apt-get', 'dpkg-deb'];
  return (
    process.platform === 'linux' &&
    existsSync(KEYRING) &&
    programs.every((program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0)
  );
}

function download(work) {
  for (const name of ['state/lists/partial', 'cache/archives/partial', 'none', 'root'])
    mkdirSync(join(work, name), { recursive: true });
  const list = join(work, 'sources.list');
  writeFileSync(list, `deb [signed-by=${KEYRING}] http://deb.debian.org/debian sid main\n`);
  // An empty package state makes apt download all dependencies, including the C library.
  writeFileSync(join(work, 'status'), '');
  const options = {
    'Dir::State': join(work, 'state'),
    'Dir::State::status': join(work, 'status'),
    'Dir::Cache': join(work, 'cache'),
    'Dir::Etc::sourcelist': list,
    'Dir::Etc::sourceparts': join(work, 'none'),
    'Dir::Etc::preferencesparts': join(work, 'none'),
    // apt's sandbox user cannot access a cache in a home folder.
    'APT::Sandbox::User': '',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '20',
  };
  const flags = Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  run('apt-get', [...flags, '-qq', 'update']);
  run('apt-get', [
    ...flags,
    '-qq',
    '-y',
    '--download-only',
    '--no-install-recommends',
    'install',
    ...PACKAGES,
  ]);
}

function unpack(work) {
  const archives = join(work, 'cache', 'archives');
  const packages = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  for (const name of packages) run('dpkg-deb', ['-x', join(archives, name), join(work, 'root')]);
  const root = join(folder, 'usr');
  const loader = join(root, 'lib', LIBRARIES[process.arch], LOADERS[process.arch]);
  const launcher = join(work, 'root', 'bitcoind');
  const libraries = join(root, 'lib', LIBRARIES[process.arch]);
  const command = `exec '${loader}' --library-path '${libraries}' '${join(root, 'bin', 'bitcoind')}' "$@"`;
  writeFileSync(launcher, `#!/bin/sh\n${command}\n`);
  chmodSync(launcher, 0o755);
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    timeout: WITHIN_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0)
    throw new Error(error?.message ?? (stderr.trim().split('\n').at(-1) || `${command} failed`));
}
