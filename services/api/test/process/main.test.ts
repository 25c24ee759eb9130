import { createTestServers, freePort } from '@paywatch/dev/servers';
import { serviceProgram } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const MAIN = serviceProgram('api');

const status = async (url: string) => (await fetch(url)).status;

describe('the process', () => {
  it('serves, and on SIGTERM reports not ready, finishes open requests and exits with 0', async () => {
    const servers = await createTestServers();
    const [port, adminPort] = [await freePort(), await freePort()];
    const child = spawn(process.execPath, [MAIN], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        DATABASE_URL: servers.databaseUrl,
        REDIS_URL: servers.redisUrl,
        REDIS_PREFIX: servers.redisPrefix,
        PUBLIC_URL: 'https://pay.example',
        ENCRYPTION_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
        PORT: String(port),
        HOST: '127.0.0.1',
        ADMIN_PORT: String(adminPort),
        DRAIN_SECONDS: '1',
      },
    });
    const ready = `http://127.0.0.1:${adminPort}/health/ready`;
    const document = `http://127.0.0.1:${port}/v1/openapi.json`;
    await waitUntil(async () => (await status(ready)) === 200, { what: 'the API' });
    expect(await status(document)).toBe(200);
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    expect(metrics).toMatch(/paywatch_api_request_duration_seconds_count\{[^}]*operation="none"[^}]*\} 1/);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await waitUntil(async () => (await status(ready)) === 503, { what: 'draining' });
    expect(await status(document)).toBe(200);
    expect(await exited).toEqual([0, null]);
    await servers.close();
  });

  it('reports all configuration errors together, without values, and exits with 1', async () => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: 'mysql://canary', LOG_LEVEL: 'loud' };
    const child = spawn(process.execPath, [MAIN], { stdio: ['ignore', 'ignore', 'pipe'], env });
    const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(1);
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'PUBLIC_URL', 'ENCRYPTION_KEYS', 'LOG_LEVEL']) {
      expect(output).toContain(name);
    }
    expect(output).not.toContain('canary');
  });
});
