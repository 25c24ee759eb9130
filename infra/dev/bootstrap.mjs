/**
 * Runs a TypeScript entry of this folder from a bare clone: `node infra/dev/bootstrap.mjs <entry.ts> [arguments]`.
 *
 * First installs what is missing: the npm packages of package-lock.json and the Debian packages that the entry needs. Then it runs the
 * entry on the pinned Node, forwards signals, and exits with the entry's exit code.
 * It is plain JavaScript without dependencies, because it runs on the system's Node (20.19 or newer).
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provideBitcoinKnots } from './bitcoin-knots.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Debian packages, the program that each provides, and the variable that makes it unnecessary. */
const debianPackages = {
  'redis-server': { programs: ['redis-server'], variable: 'REDIS_URL', instead: 'a Redis of yours' },
  haproxy: { programs: ['haproxy'] },
  litecoind: {
    programs: ['/usr/lib/litecoin/litecoind', 'litecoind'],
    variable: 'LITECOIND',
    instead: "the path of Litecoin Core's litecoind",
  },
  // For pgbench, which the npm package of the server lacks.
  postgresql: { programs: ['pgbench'], variable: 'PGBENCH', instead: 'the path of a pgbench' },
  'chromium-headless-shell': {
    programs: ['chromium-headless-shell', 'chromium'],
    variable: 'CHROMIUM',
    instead: 'the path of a Chromium',
  },
  pgbouncer: { programs: ['pgbouncer'] },
  caddy: { programs: ['caddy'] },
  prometheus: { programs: ['prometheus'] },
  // Runtimes of the webhook receivers in the documentation.
  'golang-go': { programs: ['go'] },
  'php-cli': { programs: ['php'] },
  python3: { programs: ['python3'] },
  openssl: { programs: ['openssl'] },
  // For images without a daemon.
  podman: { programs: ['podman'] },
  buildah: { programs: ['buildah'] },
  debootstrap: { programs: ['debootstrap'] },
  'docker-compose': { programs: ['docker-compose'] },
  // For a machine that boots in a container.
  'systemd-container': { programs: ['systemd-nspawn'] },
  iproute2: { programs: ['ip'] },
  iptables: { programs: ['iptables'] },
};

/** The Debian packages that each entry needs; none if it is not listed. */
const requiredPackagesOfEntry = {
  'start.ts': ['redis-server', 'haproxy', 'litecoind'],
  'bench.ts': ['redis-server', 'postgresql', 'haproxy', 'litecoind', 'chromium-headless-shell'],
  'mutants.ts': ['redis-server'],
  'fuzz.ts': ['redis-server'],
  'chaos.ts': ['redis-server', 'haproxy', 'litecoind'],
  'test.ts': ['redis-server', 'haproxy', 'litecoind', 'chromium-headless-shell'],
  'trial.ts': ['redis-server', 'haproxy', 'litecoind'],
};

/** Packages that are optional: tests that need them are skipped without them. */
const optionalPackagesOfEntry = {
  'test.ts': ['pgbouncer', 'prometheus', 'caddy', 'golang-go', 'php-cli', 'python3', 'openssl'],
  'trial.ts': [
    'podman',
    'buildah',
    'debootstrap',
    'docker-compose',
    'caddy',
    'systemd-container',
    'iproute2',
    'iptables',
  ],
};

/** Entries that use Bitcoin Knots if it can be downloaded, and bcoin otherwise. */
const realNodeEntries = ['start.ts', 'chaos.ts', 'test.ts', 'trial.ts'];

const [entry, ...entryArguments] = process.argv.slice(2);
if (entry === undefined) fail('usage: node infra/dev/bootstrap.mjs <entry.ts> [arguments]');
checkPlatform();
installNpmPackages();
installDebianPackages(requiredPackagesOfEntry[basename(entry)] ?? [], fail);
installDebianPackages(optionalPackagesOfEntry[basename(entry)] ?? [], say);
if (!process.env.BITCOIND && realNodeEntries.includes(basename(entry))) provideBitcoinKnots(say);
run(entry, entryArguments);

function checkPlatform() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old: install Node 20.19 or newer`);
  }
  const supported = ['linux-x64', 'linux-arm64', 'darwin-arm64'];
  const platform = `${process.platform}-${process.arch}`;
  if (!supported.includes(platform))
    fail(`${platform} is not supported: there are servers for ${supported.join(', ')}`);
}

/** The stamp file makes the check fast. Without it the comparison detects packages that were installed by hand. */
function installNpmPackages() {
  const lock = readFileSync(join(repository, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lock).update(patches()).digest('hex');
  const stampFile = join(repository, 'node_modules', '.paywatch-lock');
  if (readIfPresent(stampFile) === hash) return;
  const npm = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  if (!isInstalled(JSON.parse(lock)) || !isPatched(npm)) {
    say(
      `installing npm packages (${existsSync(stampFile) ? 'package-lock.json changed' : 'first start'}, about half a minute)`,
    );
    runOrFail([...npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed');
  }
  writeFileSync(stampFile, hash);
}

/** Applies the patches to packages that were installed by hand. False if another version of a patch is applied already. */
function isPatched([program, ...prefix]) {
  const { status } = spawnSync(program, [...prefix, 'run', 'postinstall'], {
    cwd: repository,
    stdio: 'ignore',
  });
  return status === 0;
}

function patches() {
  const folder = join(repository, 'infra', 'patches');
  const names = readdirSync(folder).filter((name) => name.endsWith('.patch'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}

/** Compares the lock with npm's own list of node_modules. Optional packages may be for other platforms. */
function isInstalled(lock) {
  const listing = readIfPresent(join(repository, 'node_modules', '.package-lock.json'));
  if (listing === undefined) return false;
  const installed = JSON.parse(listing).packages;
  return Object.entries(lock.packages)
    .filter(([path]) => path.includes('node_modules/'))
    .every(([path, wanted]) => {
      const found = installed[path];
      return found === undefined ? wanted.optional === true : found.version === wanted.version;
    });
}

/** Installs missing Debian packages; calls `giveUp` with a message for those that cannot be installed. */
function installDebianPackages(needed, giveUp) {
  const missing = needed.filter((name) => !isProvided(debianPackages[name]));
  if (missing.length === 0) return;
  const command = aptCommand();
  if (command === undefined) {
    giveUp(missing.map(adviceFor).join('\n'));
    return;
  }
  say(`installing ${missing.join(', ')} with apt-get`);
  const install = (names) => runApt(command, ['install', '-y', '-qq', '--no-install-recommends', ...names]);
  if (!hasPackageLists()) runApt(command, ['update', '-qq']);
  if (install(missing)) return;
  runApt(command, ['update', '-qq']);
  // One by one: a package that this Debian release lacks must not prevent the others.
  const refused = install(missing) ? [] : missing.filter((name) => !install([name]));
  if (refused.length > 0) giveUp(refused.map(adviceFor).join('\n'));
}

function isProvided({ programs, variable }) {
  return Boolean(variable && process.env[variable]) || programs.some(isOnPath);
}

function isOnPath(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  const paths = program.startsWith('/') ? [program] : folders.map((folder) => join(folder, program));
  return paths.some(isExecutable);
}

/** Runs apt-get as root or through sudo, which may ask for a password only on a terminal. */
function aptCommand() {
  if (!isOnPath('apt-get')) return undefined;
  if (process.getuid() === 0) return ['apt-get'];
  if (!isOnPath('sudo')) return undefined;
  const isSilent = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return isSilent || process.stdin.isTTY ? ['sudo', 'apt-get'] : undefined;
}

/**
 * Debian starts the servers that it installs, on their default ports. RUNLEVEL=1 makes invoke-rc.d start none; ours use other ports
 * in any case.
 */
function runApt([command, ...prefix], args) {
  const settings = ['DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'];
  const line = command === 'sudo' ? ['sudo', 'env', ...settings, ...prefix] : ['env', ...settings, command];
  const [program, ...rest] = [...line, ...args];
  return spawnSync(program, rest, { stdio: ['inherit', 'ignore', 'inherit'] }).status === 0;
}

function hasPackageLists() {
  const folder = '/var/lib/apt/lists';
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('_Packages'));
}

function adviceFor(name) {
  const { variable, instead } = debianPackages[name];
  const otherwise = variable === undefined ? '' : `, or set ${variable} to ${instead}`;
  return `${name} is missing and could not be installed: run "apt-get install ${name}" as root${otherwise}`;
}

/**
 * Ctrl-C reaches the entry twice, from the terminal and from us; it counts both as one. We wait, so that the entry can stop its
 * servers. On Linux the entry also gets a signal if we are killed.
 */
function run(entryFile, args) {
  const bin = join(repository, 'node_modules', '.bin');
  const node = join(bin, 'node');
  if (!existsSync(node))
    fail(
      'node_modules contains no Node, probably because of --omit=optional. Delete node_modules and try again',
    );
  const line =
    isOnPath('setpriv') && process.platform === 'linux'
      ? ['setpriv', '--pdeathsig', 'TERM', '--', node]
      : [node];
  const [program, ...rest] = [...line, entryFile, ...args];
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    // All services and commands share compiled TypeScript, which halves the CPU time of a start.
    NODE_COMPILE_CACHE:
      process.env.NODE_COMPILE_CACHE ?? join(repository, 'node_modules', '.cache', 'compiled'),
  };
  const child = spawn(program, rest, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`cannot run ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (signal === 'SIGINT' ? 2 : 15);
  });
}

function runOrFail([program, ...args], failure) {
  const { status } = spawnSync(program, args, { cwd: repository, stdio: ['inherit', 'ignore', 'inherit'] });
  if (status !== 0) fail(failure);
}

function readIfPresent(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function say(line) {
  console.log(`paywatch: ${line}`);
}

function fail(lines) {
  for (const line of lines.split('\n')) console.error(`paywatch: ${line}`);
  process.exit(1);
}
