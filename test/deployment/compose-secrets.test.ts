import { findProgram, freePort, startServer } from '@paywatch/dev/servers';
import { repositoryFolder } from '@paywatch/dev/stack';
import { temporaryFolder, waitUntil } from '@paywatch/dev/testing';
import { parseRedisUrl } from '@paywatch/runtime/process';
import { parseSealingKeys } from '@paywatch/runtime/security';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Tests make-secrets.sh, and the Redis of compose.yaml with its secrets. */
const folder = join(temporaryFolder('secrets'), 'secrets');
const compose = readFileSync(join(repositoryFolder, 'compose.yaml'), 'utf8');
const secret = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
const makeSecrets = () =>
  spawnSync('sh', [join(repositoryFolder, 'infra/compose/make-secrets.sh'), folder], { encoding: 'utf8' });

let printed: string;
beforeAll(() => {
  const { status, stdout, stderr } = makeSecrets();
  if (status !== 0) throw new Error(stderr);
  printed = stdout;
});

test('every secret of compose.yaml is generated in a folder that only our user can enter, and none is printed', () => {
  const named = [...compose.matchAll(/\.\/secrets\/(\w+)/g)].map(([, name = '']) => name);
  const optional = new Set(['tls', 'pooled_url', 'redis_cluster_url']);
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((name) => !optional.has(name) && !readdirSync(folder).includes(name))).toEqual([]);
  expect(statSync(folder).mode & 0o077).toBe(0);
  for (const name of readdirSync(folder)) expect(printed).not.toContain(secret(name));
});

test('a second run changes nothing', () => {
  const before = readdirSync(folder).map((name) => [name, secret(name)]);
  expect(makeSecrets().status).toBe(0);
  expect(readdirSync(folder).map((name) => [name, secret(name)])).toEqual(before);
});

test('the URLs contain the roles and servers with their own passwords, and TLS for Redis', () => {
  expect(parseSealingKeys(secret('encryption_keys'))).toHaveLength(1);
  const roleOf = (name: string) => new URL(secret(name)).username;
  expect(['owner_url', 'database_url', 'pooled_url', 'retention_url'].map(roleOf)).toEqual([
    'paywatch',
    'paywatch_service',
    'paywatch_service',
    'paywatch_retention',
  ]);
  for (const [name, topology] of [
    ['redis_url', 'standalone'],
    ['redis_cluster_url', 'cluster'],
  ] as const)
    expect(parseRedisUrl(secret(name))).toMatchObject({ topology, caFile: '/run/secrets/redis_ca' });
});

const redis = { port: 0, stop: async (): Promise<void> => {} };
beforeAll(async () => {
  redis.port = await freePort();
  // As in the container, except for the paths of the secrets, the port and the listen address.
  const configuration = secret('redis_conf').replaceAll('/run/secrets', folder);
  const file = join(folder, '..', 'redis.conf');
  const changes = [`tls-port ${redis.port}`, 'bind 127.0.0.1', `dir ${join(folder, '..')}`];
  writeFileSync(file, `${[configuration, ...changes].join('\n')}\n`);
  const server = await startServer({
    name: 'redis',
    command: findProgram('redis-server') ?? 'redis-server',
    args: [file],
    logFile: join(folder, '..', 'redis.log'),
  });
  redis.stop = server.stop;
  await waitUntil(() => say('PING').then(Boolean), { what: 'Redis' });
});
afterAll(() => redis.stop());

test.each(['redis', 'redis-1', 'redis-6'])(
  'Redis has a certificate for the name %s and requires the password',
  async (servername) => {
    expect(await say('PING', servername)).toMatch(/^-NOAUTH/);
    expect(await say(`AUTH ${secret('redis_password')}\r\nPING`, servername)).toMatch(/^\+OK\r\n\+PONG/);
    expect(await say('AUTH wrong', servername)).toMatch(/^-WRONGPASS/);
  },
);

test('Redis has the policy noeviction', async () => {
  const said = await say(`AUTH ${secret('redis_password')}\r\nCONFIG GET maxmemory-policy`);
  expect(said).toContain('noeviction');
});

/** Sends commands to Redis over TLS, verified with the authority, and returns the replies. */
async function say(lines: string, servername = 'redis'): Promise<string> {
  const socket = connect({ port: redis.port, host: '127.0.0.1', servername, ca: secret('redis_ca') });
  await once(socket, 'secureConnect');
  let answer = '';
  socket.on('data', (bytes) => (answer += String(bytes)));
  socket.write(`${lines}\r\nQUIT\r\n`);
  await once(socket, 'close');
  return answer;
}
