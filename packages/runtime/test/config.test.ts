import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { commonVariables, ConfigError, readConfig, variable } from '../src/process/config.ts';

const schema = z.object({
  ...commonVariables,
  PORT: variable.port(8080),
  BOUNDED: variable.integer(5, 1, 10),
});

function faultsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(schema, env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

test('all errors are reported together, without values', () => {
  const faults = faultsOf({ REDIS_URL: 'http://user:hunter2@host', BOUNDED: '11', PORT: 'x' });
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'DATABASE_URL',
    'REDIS_URL',
    'PORT',
    'BOUNDED',
  ]);
  expect(faults.join()).not.toContain('hunter2');
  expect(faults[0]).toBe('DATABASE_URL: is required');
});

test('`NAME_FILE` reads a variable from a file', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'config-')), 'url');
  writeFileSync(path, 'postgres://a/b\n');
  const config = readConfig(schema, { DATABASE_URL_FILE: path, REDIS_URL: 'redis://h' });
  expect(config.DATABASE_URL).toBe('postgres://a/b');
  expect(faultsOf({ DATABASE_URL_FILE: '/nowhere', REDIS_URL: 'redis://h' })[0]).toContain('ENOENT');
});

test('an empty variable counts as unset', () => {
  const config = readConfig(schema, { DATABASE_URL: 'postgres://a/b', REDIS_URL: 'redis://h', PORT: '' });
  expect(config.PORT).toBe(8080);
});
