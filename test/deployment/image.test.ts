import { freePort, startPostgres, startRedis } from '@paywatch/dev/servers';
import { assembleImage, buildPages, createApiClient, repositoryFolder } from '@paywatch/dev/stack';
import { temporaryFolder, waitUntil } from '@paywatch/dev/testing';

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const ROLES = ['api', 'watcher', 'webhook-worker'];
const NOBODY = '127.0.0.1:9';
/** Node's permission model: no file may be written and no program started. */
const CONFINED = [
  '--permission',
  '--allow-fs-read=*',
  '--allow-addons',
  '--allow-worker',
  '--allow-net',
  '--no-warnings',
];

let image: string;
const parts = new AsyncDisposableStack();
beforeAll(async () => {
  image = temporaryFolder('image');
  // Other tests read the pages: they are not built again.
  await buildPages(temporaryFolder('pages'));
  await assembleImage(image);
});
afterAll(() => parts.disposeAsync());

/** A package of another version than the shared one is installed beside the service that needs it. */
const isInstalled = (path: string) => /(^|\/)node_modules(\/|$)/.test(path);

test('the image contains only files that are needed at run time', () => {
  const files = readdirSync(image, { recursive: true, encoding: 'utf8' });
  const own = files.filter((path) => !isInstalled(path));
  expect(
    own.filter((path) => path.startsWith('bundles/') && !/-[\w-]{8}\.mjs$/.test(path)).toSorted(),
  ).toEqual(
    ['api', 'cli', 'derivation-worker', 'probe-thread', 'serve', 'watcher', 'webhook-worker'].map(
      (name) => `bundles/${name}.mjs`,
    ),
  );
  expect(own.filter((path) => path.split('/').length === 3).toSorted()).toEqual([
    'infra/image/is-alive.mjs',
    'infra/image/start.mjs',
    ...['domain', 'runtime'].flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/src`]),
    ...['migrations', 'package.json', 'src'].map((part) => `packages/store/${part}`),
    ...['api', 'cli', 'serve', 'watcher'].flatMap((name) => [
      `services/${name}/package.json`,
      `services/${name}/src`,
    ]),
    'services/web/dist',
    'services/webhook-worker/package.json',
    'services/webhook-worker/src',
  ]);
  const above = ['bundles', 'infra', 'node_modules', 'package.json', 'packages', 'services'];
  expect(readdirSync(image).toSorted()).toEqual(above);
  expect(own.filter((path) => path.includes('.test.'))).toEqual([]);
  const installed = files.filter((path) => isInstalled(path) && !path.startsWith('node_modules/@paywatch'));
  expect(installed.filter((path) => /\.(map|ts)$|\/(\.bin|typescript|bcoin)$/.test(path))).toEqual([]);
  expect(readdirSync(join(image, 'node_modules/@paywatch')).toSorted()).toEqual([
    'api',
    'domain',
    'runtime',
    'serve',
    'store',
    'watcher',
    'webhook-worker',
  ]);
});

test.each([
  ['its sources, traced', `http://${NOBODY}`],
  ['its bundles', ''],
])(
  'every role starts from %s, becomes ready and alive, stops on SIGTERM, and writes no file',
  async (_from, collector) => {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    parts.defer(postgres.stop);
    parts.defer(redis.stop);
    const servers = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    };
    expect(await start(['migrate'], servers).ended).toEqual({
      code: 0,
      output: expect.stringMatching(/^Applied \d+ migration/),
    });
    const sides = await Promise.all(ROLES.map(() => freePort()));
    const port = await freePort();
    const roles = ROLES.map((role, index) =>
      start([role], { ...servers, PORT: String(port), ADMIN_PORT: String(sides[index]) }),
    );
    await Promise.all(sides.map(isReady));
    for (const side of sides)
      expect((await launch(['infra/image/is-alive.mjs'], { ADMIN_PORT: String(side) }).ended).code).toBe(0);
    const call = createApiClient(`http://127.0.0.1:${port}`);
    const body = { email: 'merchant@example.com', password: 'correct horse' };
    await call({ method: 'POST', path: '/v1/auth/register', body }, z.unknown());
    for (const path of ['/account', '/docs', '/v1/openapi.json'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    const Authorization = `Basic ${btoa(`operator:${environment.QUEUES_PASSWORD}`)}`;
    const board = await fetch(`http://127.0.0.1:${sides.at(-1)}/queues`, { headers: { Authorization } });
    expect([board.status, await board.text()]).toEqual([200, expect.stringContaining('<html')]);
    for (const { child } of roles) child.kill('SIGTERM');
    expect(await Promise.all(roles.map((role) => role.ended))).toMatchObject(ROLES.map(() => ({ code: 0 })));
  },
);

test('its default command runs all roles in one process', async () => {
  const [command = ''] = /^CMD .*$/m.exec(readFileSync(join(repositoryFolder, 'Dockerfile'), 'utf8')) ?? [];
  expect(command).toBe('CMD ["serve"]');
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  parts.defer(postgres.stop);
  parts.defer(redis.stop);
  const servers = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, OTEL_EXPORTER_OTLP_ENDPOINT: '' };
  expect(await start(['migrate'], servers).ended).toMatchObject({ code: 0 });
  const [port, side] = [await freePort(), await freePort()];
  const serve = start(['serve'], { ...servers, PORT: String(port), ADMIN_PORT: String(side) });
  await isReady(side);
  for (const path of ['/account', '/docs', '/v1/openapi.json'])
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
  serve.child.kill('SIGTERM');
  expect(await serve.ended).toEqual({ code: 0, output: '' });
});

test('it contains the native ZeroMQ module for this platform', async () => {
  const source = "await import('zeromq')";
  expect(await launch(['--input-type=module', '--eval', source], {}).ended).toEqual({ code: 0, output: '' });
});

test('a role that still waits for a server stops at once on SIGTERM', async () => {
  const mute = createServer().listen(0, '127.0.0.1');
  await once(mute, 'listening');
  parts.defer(() => void mute.close());
  const connected = once(mute, 'connection');
  const { port } = mute.address() as AddressInfo;
  const role = start(['watcher'], {
    DATABASE_URL: `postgres://paywatch@127.0.0.1:${port}/paywatch`,
    REDIS_URL: `redis://${NOBODY}`,
  });
  await connected;
  role.child.kill('SIGTERM');
  // By its own handler: PID 1 of a container ignores signals without one.
  expect(await role.ended).toEqual({ code: 128 + 15, output: '' });
});

/** Enables all optional modules, and tracing, with which the sources run instead of the bundles. */
const environment = {
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  LOG_LEVEL: 'fatal',
  PUBLIC_URL: 'http://127.0.0.1',
  BTC_NODE_URL: `http://user:password@${NOBODY}`,
  BTC_NODE_ZMQ_URL: `tcp://${NOBODY}`,
  ENCRYPTION_KEYS: `dev:${Buffer.alloc(32).toString('base64')}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://${NOBODY}`,
  QUEUES_PASSWORD: 'correct horse',
  DRAIN_SECONDS: '0',
};

type Started = { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> };

function start(words: readonly string[], env: Record<string, string>): Started {
  return launch(['infra/image/start.mjs', ...words], env);
}

function launch(words: readonly string[], env: Record<string, string>): Started {
  const child = spawn('node', [...CONFINED, ...words], {
    cwd: image,
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  parts.defer(() => void child.kill('SIGKILL'));
  return { child, ended: endOf(child) };
}

function isReady(side: number): Promise<boolean> {
  const ask = async () => (await fetch(`http://127.0.0.1:${side}/health/ready`)).ok;
  return waitUntil(ask, { what: `the role with side port ${side} to be ready` });
}

async function endOf(child: ChildProcess): Started['ended'] {
  const closed = once(child, 'close');
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const output = await Promise.all(streams.map((stream) => text(stream)));
  const [code] = await closed;
  return { code, output: output.join('') };
}
