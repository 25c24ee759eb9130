import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const MARK = 'PAYWATCH_TEST_MARK';

type Start = { process: ChildProcess; mark: string; output: () => string; ended: Promise<number | null> };

const running: Start[] = [];
afterEach(async () => {
  for (const started of running.splice(0)) {
    started.process.kill('SIGTERM');
    await started.ended;
  }
});

/** `npm start` as a person types it, marked through its environment so that whatever it leaves behind is found. */
function start(...options: string[]): Start {
  const mark = randomBytes(8).toString('hex');
  // Servers that the tests share are not what a person has.
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
  await expect.poll(started.output, { timeout: 90_000, interval: 100 }).toContain(text);
}

/** Runs the commands of the first guide as they stand there, with what the first terminal printed. */
function followGuide({ output }: Start): void {
  const guide = readFileSync(join(repository, 'docs/guides/accept-an-order.md'), 'utf8');
  const commands = Array.from(guide.matchAll(/^```sh\n(.*?)^```/gms), ([, block]) => block).join('');
  const [, url = ''] = /API +(http\S+)\/v1\n/.exec(output()) ?? [];
  const [, key = ''] = /API key +(pw_\S+)/.exec(output()) ?? [];
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', commands], {
    cwd: repository,
    env: { ...process.env, PAYWATCH_URL: url, PAYWATCH_API_KEY: key },
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain('\nconfirmed\n');
  expect(stdout).toMatch(/"verified":true[^\n]*$/);
}

/** Ctrl-C in a terminal signals the whole foreground group. */
function pressControlC(started: Start): void {
  if (started.process.pid === undefined) throw new Error('not started');
  process.kill(-started.process.pid, 'SIGINT');
}

/** Command lines of the processes that carry the mark and still run. */
function leftovers({ mark }: Start): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readProc(name, 'environ').includes(`${MARK}=${mark}`))
    .map((name) => readProc(name, 'cmdline').replaceAll('\0', ' '));
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It ended while we looked, or is not ours to look at.
    return '';
  }
}

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  test('--once plays an order to its webhook for both currencies, ends with 0 and leaves no process', async () => {
    const once = start('--once');
    expect(await once.ended, once.output()).toBe(0);
    for (const line of ['BTC', 'LTC', 'The page shows it: pending', 'The page shows it: confirmed']) {
      expect(once.output()).toContain(line);
    }
    expect(
      once.output().match(/The webhook arrives and its signature is right: invoice.confirmed/g),
    ).toHaveLength(2);
    expect(once.output()).not.toContain('✗');
    expect(leftovers(once)).toEqual([]);
  }, 120_000);

  test('the first guide holds; a second one runs beside the first; Ctrl-C ends each with everything that it started', async () => {
    const first = start();
    await until(first, 'Ctrl-C stops everything');
    followGuide(first);
    const second = start('--once');
    expect(await second.ended, second.output()).toBe(0);
    expect(leftovers(first).length).toBeGreaterThan(5);
    pressControlC(first);
    // npm itself ends by the signal; what it ran ends in order.
    await first.ended;
    expect(first.output()).toContain('Stopping everything');
    expect(leftovers(first)).toEqual([]);
  }, 180_000);
});
