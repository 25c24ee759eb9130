import { startPostgres } from '@paywatch/dev/servers';
import { repositoryFolder } from '@paywatch/dev/stack';
import { InvalidArgumentError, type Command } from 'commander';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseUntil, wholeNumber } from '../src/terminal/arguments.ts';
import { createProgram } from '../src/cli.ts';
import { createCommandLine } from '../src/terminal/command-line.ts';
import { shown, table } from '../src/terminal/text.ts';
import { ENTRY, openBench, runHere, type Bench } from './support/bench.ts';

let bench: Bench;
beforeAll(async () => (bench = await openBench()));
afterAll(() => bench.close());

function program(): Command {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const io = { env: {}, stdin, stdout, stderr };
  return createProgram(createCommandLine(io, []), io);
}

/** All commands without subcommands, with their full path. */
function listCommands(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((child) => listCommands(child, [...path, child.name()]));
}

const migrated = z.object({ applied: z.number(), total: z.number() });

describe('migrate', () => {
  test('creates the schema in an empty database and changes nothing when it is up to date', async () => {
    const postgres = await startPostgres();
    const databaseUrl = await postgres.createDatabase();
    const migrate = () => bench.run(['migrate', '--json'], { env: { DATABASE_URL: databaseUrl } });
    try {
      const before = await bench.run(['doctor', '--json'], { env: { DATABASE_URL: databaseUrl } });
      expect(before.read(z.object({ checks: z.array(z.unknown()) })).checks).toContainEqual(
        expect.objectContaining({ check: 'Schema', status: 'failed', advice: 'Run `paywatch migrate`.' }),
      );
      const unmigrated = await bench.run(['accounts', 'list'], { env: { DATABASE_URL: databaseUrl } });
      expect(unmigrated.code).toBe(1);
      expect(unmigrated.stderr).toContain('Run `paywatch migrate`');
      const first = await migrate();
      expect(first.code).toBe(0);
      const { applied, total } = first.read(migrated);
      expect(applied).toBeGreaterThan(0);
      expect((await migrate()).json()).toEqual({ applied: 0, total });
    } finally {
      await postgres.dropDatabase(databaseUrl);
      await postgres.stop();
    }
  });

  test('concurrent migrations all succeed, and each migration is applied once', async () => {
    const postgres = await startPostgres();
    const databaseUrl = await postgres.createDatabase();
    try {
      const migrate = () => bench.spawn(['migrate', '--json'], { env: { DATABASE_URL: databaseUrl } });
      const runs = await Promise.all([migrate(), migrate()]);
      expect(runs.map(({ code }) => code)).toEqual([0, 0]);
      const totals = new Set(runs.map((run) => run.read(migrated).total));
      expect(totals.size).toBe(1);
    } finally {
      await postgres.dropDatabase(databaseUrl);
      await postgres.stop();
    }
  });
});

describe('exit codes', () => {
  test.each([
    ['an unknown command', ['acounts']],
    ['no command', []],
    ['a group without a command', ['accounts']],
    ['an unknown option', ['accounts', 'list', '--everything']],
    ['a missing argument', ['accounts', 'show']],
    ['too many arguments', ['chain', 'status', 'BTC']],
    ['an invalid email', ['accounts', 'show', 'shop']],
    ['an unknown currency', ['pools', 'inspect', 'shop@example.com', 'DOGE']],
    ['neither --days nor --until', ['subscriptions', 'grant', 'shop@example.com']],
    [
      'both --days and --until',
      ['subscriptions', 'grant', 'a@example.com', '--days', '1', '--until', '2099-01-01'],
    ],
    ['a redelivery without events', ['events', 'redeliver', 'shop@example.com']],
    ['a rescan without a start', ['chain', 'rescan', 'BTC']],
    ['an id of another kind', ['invoices', 'show', 'evt_8yXq3mJ2NdPz5KcVh7RtWb']],
    ['help for an unknown command', ['help', 'accounts', 'shwo']],
    ['days below one', ['subscriptions', 'grant', 'shop@example.com', '--days', '0']],
  ])('%s exits with 2 and a message on standard error', async (_, args) => {
    const run = await runHere(args);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).not.toBe('');
  });

  test.each([
    ['an unknown account', ['accounts', 'show', 'nobody@example.com'], {}],
    ['a missing variable', ['accounts', 'list'], { DATABASE_URL: '' }],
    [
      'an unavailable Postgres',
      ['accounts', 'list'],
      { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/none' },
    ],
  ])('%s exits with 1 and a message on standard error without secrets', async (_, args, env) => {
    const run = await bench.run(args, { env });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^error: /);
    expect(run.stderr).not.toContain('hidden');
  });

  test('are the exit codes of the process', async () => {
    const runs = await Promise.all([
      bench.spawn(['accounts', 'list']),
      bench.spawn(['accounts', 'show', 'nobody@example.com']),
      bench.spawn(['accounts', 'show']),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([0, 1, 2]);
  });

  test('a closed pipe is not a failure', async () => {
    const child = spawn(process.execPath, [ENTRY, '--help'], { stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('with --json all failures are JSON, including usage errors', async () => {
    const [failure, usage, group] = await Promise.all([
      bench.run(['--json', 'accounts', 'show', 'nobody@example.com']),
      bench.run(['accounts', 'show', '--json']),
      bench.run(['accounts', '--json']),
    ]);
    expect(JSON.parse(failure.stderr)).toEqual({
      error: {
        message: 'There is no account with the email nobody@example.com.',
        advice: 'See `paywatch accounts list`.',
      },
    });
    expect(JSON.parse(usage.stderr)).toEqual({
      error: { message: "missing required argument 'email'", advice: 'See `paywatch accounts show --help`.' },
    });
    expect(JSON.parse(group.stderr).error.advice).toBe('See `paywatch accounts --help`.');
  });
});

describe('help', () => {
  test('`help <command>` prints the same as `<command> --help`', async () => {
    const after = await runHere(['accounts', 'show', '--help']);
    expect(await runHere(['help', 'accounts', 'show'])).toMatchObject({ code: 0, stdout: after.stdout });
  });

  test('every command has a description and an example that names it', async () => {
    const commands = listCommands(program());
    expect(commands.length).toBeGreaterThan(20);
    const helps = await Promise.all(commands.map((command) => runHere([...command.split(' '), '--help'])));
    for (const [index, { code, stdout, stderr }] of helps.entries()) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`Examples:\\n {2}paywatch ${commands[index]}`));
      expect(stdout).toContain('--json');
    }
  });

  test('npx paywatch runs the CLI in the workspace', () => {
    const printed = execFileSync('npx', ['paywatch', 'doctor', '--help'], {
      encoding: 'utf8',
      cwd: repositoryFolder,
    });
    expect(printed).toContain('paywatch doctor --json');
  });
});

describe('arguments and output', () => {
  test('a day means its end, and days that do not exist are refused', () => {
    expect(parseUntil('2028-02-29').toISOString()).toBe('2028-03-01T00:00:00.000Z');
    expect(parseUntil('2027-01-31T12:00Z').toISOString()).toBe('2027-01-31T12:00:00.000Z');
    for (const text of ['2027-02-29', '2027-13-01', '2027-01-31T12:00', '31.1.2027', 'tomorrow', ''])
      expect(() => parseUntil(text)).toThrow(InvalidArgumentError);
  });

  test('a whole number has no sign, fraction or exponent and is within its range', () => {
    const parse = wholeNumber(1, 20);
    expect([parse('1'), parse('20')]).toEqual([1, 20]);
    for (const text of ['0', '21', '-1', '+1', '1.0', '1e1', '0x1', ' 1', ''])
      expect(() => parse(text)).toThrow(InvalidArgumentError);
  });

  test('columns fit their content, and an empty table prints a sentence', () => {
    expect(
      table(
        ['A', 'NAME'],
        [
          ['longer', null],
          [1, true],
        ],
        'Nothing.',
      ),
    ).toBe('A       NAME\nlonger  -\n1       yes');
    expect(table(['A'], [], 'Nothing.')).toBe('Nothing.');
  });

  test('control characters are removed', () => {
    expect(shown('a\u001B[31mb\u0000c\u0085d\u2028e\u202Ef')).toBe('ab c d e f');
  });
});
