import { serviceProgram } from '@paywatch/dev/stack';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const NOBODY = '127.0.0.1:9';

/** The environment of each service, with ports on which no server listens. */
const environment = {
  PATH: process.env['PATH'],
  DATABASE_URL: `postgres://paywatch:canary@${NOBODY}/paywatch`,
  REDIS_URL: `redis://:canary@${NOBODY}`,
  BTC_NODE_URL: `http://user:canary@${NOBODY}`,
  PUBLIC_URL: 'http://127.0.0.1',
  ENCRYPTION_KEYS: `dev:${Buffer.alloc(32).toString('base64')}`,
  LOG_LEVEL: 'silent',
  PORT: '0',
  ADMIN_PORT: '0',
};

test.each(['api', 'watcher', 'webhook-worker'])(
  '%s reports each missing server in one line without secrets, and exits with 1',
  async (service) => {
    const child = spawn('node', [serviceProgram(service)], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(output.trim().split('\n')).toEqual([
      expect.stringMatching(/^DATABASE_URL: Postgres does not answer/),
      'REDIS_URL: Redis does not answer',
    ]);
    expect(code).toBe(1);
    expect(output).not.toContain('canary');
  },
);
