import { expect, test } from 'vitest';
import { createLogger, flatLogger } from '../src/observability/logger.ts';

test('secret fields are redacted', () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'test',
    level: 'info',
    destination: { write: (line) => lines.push(line) },
  });
  logger.info({
    token: 'canary',
    body: { password: 'canary', deep: { xpub: 'canary' } },
    headers: { 'x-api-key': 'canary' },
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('canary');
});

/** What ioredis throws for a wrong password. */
function redisError(): Error {
  const command = { name: 'hello', args: ['3', 'AUTH', 'default', 'canary'] };
  return Object.assign(new Error('WRONGPASS invalid username-password pair'), { command, code: 'WRONGPASS' });
}

/** What postgres.js throws for a duplicate key, with `debug`. */
function postgresError(): Error {
  const sent = { query: 'select canary', parameters: ['canary'], args: ['canary'], raw: 'canary' };
  const quoted = { detail: 'Key (email)=(canary) already exists.', where: 'canary', code: '23505' };
  return Object.assign(new Error('duplicate key'), sent, quoted);
}

test.for([
  ['of Redis', redisError()],
  ['of Postgres', postgresError()],
  ['with a cause', new Error('outer', { cause: redisError() })],
  ['with a cause of its own field', Object.assign(new Error('outer'), { failure: postgresError() })],
  ['of several', new AggregateError([redisError(), postgresError()], 'several')],
  ['with earlier ones', Object.assign(new Error('last'), { previousErrors: [redisError()] })],
  ['deep within fields', Object.assign(new Error('outer'), { nodes: { first: [{ error: redisError() }] } })],
] as const)('an error %s is logged without client data', ([, error]) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', level: 'info', destination });
  logger.error({ err: error }, 'failed');
  logger.child({ loop: 'test' }).error({ err: error }, 'failed');
  flatLogger(logger).error({ err: error }, 'failed');
  logger.error(error);
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).not.toContain('canary');
    expect(JSON.parse(line)).toMatchObject({
      err: { type: error.name, message: expect.stringContaining(error.message), stack: expect.any(String) },
    });
  }
});

test('an error that contains itself is logged', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const error: Error & { self?: unknown } = redisError();
  error.self = { error };
  createLogger({ service: 'test', level: 'info', destination }).error({ err: error }, 'failed');
  expect(lines.join()).toContain('WRONGPASS');
  expect(lines.join()).not.toContain('canary');
});

test('all loggers of a process share one exit listener', () => {
  const before = process.listenerCount('exit');
  for (let count = 0; count < 20; count += 1) createLogger({ service: 'test', level: 'info' });
  expect(process.listenerCount('exit')).toBeLessThanOrEqual(before + 1);
});
