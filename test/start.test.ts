import { printFigures } from '@paywatch/dev/commands';
import { freePort } from '@paywatch/dev/servers';

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const MARK = 'PAYWATCH_TEST_MARK';

type Start = { process: ChildProcess; mark: string; output: () => string; ended: Promise<number | null> };

const running: Start[] = [];
afterAll(async () => {
  for (const started of running) {
    // The whole process group, because npm does not forward the signal.
    if (started.process.exitCode === null && started.process.signalCode === null) pressControlC(started);
    await started.ended;
  }
});

/** Runs `npm start` with a marker in its environment, by which leftover processes are found. */
function start(...options: string[]): Start {
  const mark = randomBytes(8).toString('hex');
  // A user has no shared test servers.
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  const child = spawn('npm', ['start', '--', ...options], {
    cwd: repository,
    env: { ...env, [MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const started = { process: child, mark, output: () => output, ended };
  running.push(started);
  return started;
}

async function until(started: Start, text: string): Promise<void> {
  await expect.poll(started.output, { interval: 100 }).toContain(text);
}

/** The unchanged commands of a document below a heading. */
function commandsOf(path: string, heading: string): string {
  const [, rest = ''] = readFileSync(join(repository, path), 'utf8').split(`\n${heading}\n`);
  return Array.from(rest.matchAll(/^```sh\n(.*?)^```/gms), ([, block]) => block).join('');
}

/** Runs the quick start of the README on the running stack. */
async function followReadme(stack: Start): Promise<void> {
  const [, url = ''] = /Paywatch is up at (\S+)/.exec(stack.output()) ?? [];
  const [, quickStart = ''] =
    /^## Take an order\n.*?^```sh\n(.*?)^```/ms.exec(readFileSync(join(repository, 'README.md'), 'utf8')) ??
    [];
  const printed = await follow(stack, quickStart.replace(/^API=.*$/m, `API=${url}`));
  expect(printed).toContain('"type":"order","status":"confirmed"');
}

/** Runs commands in a second terminal, with the settings that the first one printed. */
async function follow(
  { output }: Start,
  commands: string,
  onOutput: (text: string) => void = () => undefined,
): Promise<string> {
  const [, url = ''] = /API +(http\S+)\/v1\n/.exec(output()) ?? [];
  const [, key = ''] = /API key +(pw_\S+)/.exec(output()) ?? [];
  const child = spawn('bash', ['-e', '-c', commands], {
    cwd: repository,
    env: { ...process.env, PAYWATCH_URL: url, PAYWATCH_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, errors] = ['', ''];
  child.stdout.on('data', (chunk) => onOutput((printed += String(chunk))));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const [status] = await once(child, 'close');
  expect(status, printed + errors).toBe(0);
  return printed;
}

/** Runs the first guide, from the order on, and prints the duration of a first order without reading time. */
async function followFirstGuide(stack: Start, startedAtMs: number): Promise<void> {
  const readyAtMs = performance.now();
  let confirmedAtMs = 0;
  const printed = await follow(
    stack,
    commandsOf('docs/guides/accept-an-order.md', '## 2. Create an invoice'),
    (text) => {
      if (text.includes('\nconfirmed\n')) confirmedAtMs ||= performance.now();
    },
  );
  expect(printed).toContain('\nconfirmed\n');
  expect(printed).toMatch(/"verified":true[^\n]*$/);
  printFigures([
    { name: 'npm start until everything is up, s', value: (readyAtMs - startedAtMs) / 1000 },
    {
      name: 'first order of the guide until it is confirmed, s',
      value: (confirmedAtMs - readyAtMs) / 1000,
    },
  ]);
}

/** Runs the migration guide: an imported order is paid, and its event is written. */
async function followMigration(stack: Start): Promise<void> {
  await follow(stack, commandsOf('docs/migration.md', '## Try it'));
  const list = 'set -a; . .paywatch/env; set +a; npx paywatch events list old-shop@example.com';
  await expect.poll(() => follow(stack, list)).toContain('invoice.confirmed');
}

/** Sends SIGINT to the whole process group, like Ctrl-C in a terminal. */
function pressControlC(started: Start): void {
  if (started.process.pid === undefined) throw new Error('not started');
  process.kill(-started.process.pid, 'SIGINT');
}

/** Takes the default port, unless another process has it, and returns what frees it. */
async function holdDefaultPort(): Promise<() => Promise<void>> {
  const server = createServer();
  const taken = new Promise((resolve) => server.once('listening', resolve).once('error', resolve));
  server.listen(8080, '127.0.0.1');
  await taken;
  return () => server[Symbol.asyncDispose]();
}

/** Command lines of running processes with the marker. */
function leftovers({ mark }: Start): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProc(name, 'environ').includes(`${MARK}=${mark}`))
    .map((name) => readProc(name, 'cmdline').replaceAll('\0', ' '));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

const meta = { skipReason: 'needs /proc (Linux)' };

describe.skipIf(process.platform !== 'linux')('npm start', { meta }, () => {
  let first: Start;
  let firstUrl: string;
  beforeAll(async () => {
    firstUrl = `http://127.0.0.1:${await freePort()}`;
    first = start('--port', new URL(firstUrl).port);
  });

  test('--port sets the port; the first guide, the quick start of the README and a migration work on it', async () => {
    const startedAtMs = performance.now();
    await until(first, 'Ctrl-C stops everything');
    expect(first.output()).toContain(`Paywatch is up at ${firstUrl}`);
    await followFirstGuide(first, startedAtMs);
    await followReadme(first);
    await followMigration(first);
  });

  test('--once beside another stack picks a free port while 8080 is in use, runs an order up to its webhook for both currencies, exits with 0 and leaves no process', async () => {
    onTestFinished(await holdDefaultPort());
    const story = start('--once');
    expect(await story.ended, story.output()).toBe(0);
    const [, url] = /Paywatch is up at (\S+)/.exec(story.output()) ?? [];
    expect([undefined, firstUrl, 'http://127.0.0.1:8080']).not.toContain(url);
    // No colors without a terminal, and no output of build tools.
    expect(story.output()).not.toContain('\u001b');
    expect(story.output()).not.toMatch(/PLUGIN_TIMINGS/);
    for (const line of ['BTC', 'LTC', 'The page shows it: pending', 'The page shows it: confirmed']) {
      expect(story.output()).toContain(line);
    }
    expect(
      story.output().match(/The webhook arrives with a valid signature: invoice.confirmed/g),
    ).toHaveLength(2);
    expect(story.output()).not.toContain('✗');
    expect(leftovers(story)).toEqual([]);
  });

  test('refuses a port that is in use and names it', async () => {
    const { port } = new URL(firstUrl);
    const taken = start('--once', '--port', port);
    expect(await taken.ended).toBe(1);
    expect(taken.output()).toContain(`port ${port} is in use`);
  });

  test('Ctrl-C stops everything that it started', async () => {
    expect(leftovers(first).length).toBeGreaterThan(5);
    pressControlC(first);
    // npm itself is killed by the signal; the command stops in order.
    await first.ended;
    expect(first.output()).toContain('Stopping everything');
    expect(leftovers(first)).toEqual([]);
  });
});
