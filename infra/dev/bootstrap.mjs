/**
 * Runs a TypeScript entry of this folder from a bare clone: `node infra/dev/bootstrap.mjs <entry.ts> [arguments]`.
 *
 * Installs what is missing first, and says so: npm packages as package-lock.json names them, Debian packages that the entry
 * needs. Then it runs the entry on the Node that the lock pins, hands signals on, and ends with the entry's exit code.
 * It is plain JavaScript without a dependency, because it runs on whatever Node is there (20.19 or newer).
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyPatches } from '../patches/apply.mjs';
import { provideBitcoinKnots } from './bitcoin-knots.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** Debian packages, how to tell that they are there, and the variable that makes them unnecessary. */
const debianPackages = {
  'redis-server': { programs: ['redis-server'], variable: 'REDIS_URL', instead: 'a Redis of yours' },
  haproxy: { programs: ['haproxy'] },
  litecoind: {
    programs: ['/usr/lib/litecoin/litecoind', 'litecoind'],
    variable: 'LITECOIND',
    instead: "the path of Litecoin Core's litecoind",
  },
  // Its pgbench; the npm package of the server comes without.
  postgresql: { programs: ['pgbench'], variable: 'PGBENCH', instead: 'the path of a pgbench' },
  chromium: { programs: ['chromium'], variable: 'CHROMIUM', instead: 'the path of a Chromium' },
  pgbouncer: { programs: ['pgbouncer'] },
  prometheus: { programs: ['prometheus'] },
  // What the webhook receivers of the documentation are run with.
  'golang-go': { programs: ['go'] },
  'php-cli': { programs: ['php'] },
  python3: { programs: ['python3'] },
  openssl: { programs: ['openssl'] },
};

/** What an entry needs besides npm packages; an entry that is not listed needs nothing. */
const needsOfEntry = {
  'start.ts': ['redis-server', 'haproxy', 'litecoind'],
  'bench.ts': ['redis-server', 'postgresql'],
  'mutants.ts': ['redis-server'],
  'fuzz.ts': ['redis-server'],
  'chaos.ts': ['redis-server', 'haproxy', 'litecoind'],
  'test.ts': ['redis-server', 'haproxy', 'litecoind', 'chromium'],
};

/** What is tested against only where it can be had. */
const wishesOfEntry = {
  'test.ts': ['pgbouncer', 'prometheus', 'golang-go', 'php-cli', 'python3', 'openssl'],
};

/** Entries that use a real Bitcoin node where one can be had, and bcoin where not. */
const realNodeEntries = ['start.ts', 'chaos.ts', 'test.ts'];

const [entry, ...entryArguments] = process.argv.slice(2);
if (entry === undefined) fail('usage: node infra/dev/bootstrap.mjs <entry.ts> [arguments]');
checkPlatform();
installNpmPackages();
applyPatches();
installDebianPackages(needsOfEntry[basename(entry)] ?? [], fail);
installDebianPackages(wishesOfEntry[basename(entry)] ?? [], say);
if (!process.env.BITCOIND && realNodeEntries.includes(basename(entry))) provideBitcoinKnots(say);
run(entry, entryArguments);

function checkPlatform() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(
      `Node ${process.versions.node} is too old to install with: 20.19 or newer is needed (any will do to start with)`,
    );
  }
  const supported = ['linux-x64', 'linux-arm64', 'darwin-arm64'];
  const platform = `${process.platform}-${process.arch}`;
  if (!supported.includes(platform))
    fail(`${platform} is not supported: there are servers for ${supported.join(', ')}`);
}

/** The stamp spares the comparison; the comparison spares an install after somebody ran npm by hand. */
function installNpmPackages() {
  const lock = readFileSync(join(repository, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lock).digest('hex');
  const stampFile = join(repository, 'node_modules', '.paywatch-lock');
  if (readIfPresent(stampFile) === hash) return;
  if (!isInstalled(JSON.parse(lock))) {
    say(
      `installing npm packages (${existsSync(stampFile) ? 'package-lock.json changed' : 'first start'}, about half a minute)`,
    );
    const npm = process.env.npm_execpath?.endsWith('.js')
      ? [process.execPath, process.env.npm_execpath]
      : ['npm'];
    runOrFail([...npm, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci failed');
  }
  writeFileSync(stampFile, hash);
}

/** Compares the lock with npm's own list of what lies in node_modules. Optional packages may be for other platforms. */
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

/** `giveUp` hears what is missing, and how to come by it. */
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
  // One by one: a package that this release of Debian lacks must not keep the others away.
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

/** apt-get as root, or through a sudo that asks for nothing; with a terminal it may ask for the password. */
function aptCommand() {
  if (!isOnPath('apt-get')) return undefined;
  if (process.getuid() === 0) return ['apt-get'];
  if (!isOnPath('sudo')) return undefined;
  const isSilent = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  return isSilent || process.stdin.isTTY ? ['sudo', 'apt-get'] : undefined;
}

/**
 * The packages of servers start them, on the usual ports. In runlevel 1 invoke-rc.d starts none; ours run on ports of their own
 * either way.
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
  return `${name} is missing and cannot be installed from here: run "apt-get install ${name}" as root${otherwise}`;
}

/**
 * Ctrl-C in a terminal reaches the entry, too, as a member of our group: it must see a second signal as the same. We only wait,
 * so that the entry can stop its servers. Where Linux offers it, the entry is told when we are killed.
 */
function run(entryFile, args) {
  const bin = join(repository, 'node_modules', '.bin');
  const node = join(bin, 'node');
  if (!existsSync(node))
    fail('node_modules has no Node: was it installed with --omit=optional? Remove it and start again');
  const line =
    isOnPath('setpriv') && process.platform === 'linux'
      ? ['setpriv', '--pdeathsig', 'TERM', '--', node]
      : [node];
  const [program, ...rest] = [...line, entryFile, ...args];
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    // Every service and command starts from the same TypeScript: with what was compiled before, in half the CPU time.
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
