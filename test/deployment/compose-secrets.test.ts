import { findProgram, freePort, startServer } from '@paywatch/dev/servers';
import { repositoryFolder } from '@paywatch/dev/stack';
import { temporaryFolder, waitUntil } from '@paywatch/dev/testing';
import { parseRedisUrl } from '@paywatch/runtime/process';
import { parseSealingKeys } from '@paywatch/runtime/security';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/** Tests the secrets of `paywatch init --compose`, and the servers of compose.yaml with them. */
const folder = temporaryFolder('compose');
const secrets = join(folder, 'secrets');
const compose = readFileSync(join(repositoryFolder, 'compose.yaml'), 'utf8');
const secret = (name: string) => readFileSync(join(secrets, name), 'utf8').trim();
const ANSWERS = ['--domain', 'pay.example', '--email', 'ops@pay.example', '--btc', 'node', '--ltc', 'node'];

/** Runs `paywatch init` and returns what it printed. */
function init(...answers: string[]): string {
  const cli = join(repositoryFolder, 'services/cli/src/main.ts');
  const args = [cli, 'init', '--compose', folder, ...answers];
  return execFileSync(process.execPath, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
}

let printed: string;
beforeAll(() => {
  for (const file of ['compose.yaml', '.env.example'])
    copyFileSync(join(repositoryFolder, file), join(folder, file));
  printed = init(...ANSWERS);
});

test('every secret of compose.yaml is generated in a folder that only our user can enter, and none is printed', () => {
  const named = [...compose.matchAll(/\.\/secrets\/(\w+)/g)].map(([, name = '']) => name);
  const optional = new Set(['tls', 'pooled_url', 'redis_cluster_url']);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !optional.has(name) && !readdirSync(secrets).includes(name))).toEqual([]);
  expect(statSync(secrets).mode & 0o077).toBe(0);
  for (const text of readdirSync(secrets).map(secret).filter(Boolean)) expect(printed).not.toContain(text);
});

/** All files that `init` writes. */
const written = () => [
  ...readdirSync(secrets).map((name) => [name, secret(name)]),
  readFileSync(join(folder, '.env')),
];

test('a second run changes nothing', () => {
  const before = written();
  expect(init('--btc', 'esplora')).toBe('Nothing to do: all files exist.\n');
  expect(written()).toEqual(before);
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

test('a node with the settings and the command of compose.yaml answers to its URL, and to no other password', async () => {
  const datadir = temporaryFolder('litecoind');
  const port = await freePort();
  const [command = '', ...args] = nodeCommand('litecoind');
  const changes = [
    `-datadir=${datadir}`,
    `-conf=${join(secrets, 'litecoind_conf')}`,
    '-chain=regtest',
    '-listen=0',
  ];
  const server = await startServer({
    name: command,
    command: findProgram('/usr/lib/litecoin/litecoind') ?? findProgram(command) ?? command,
    args: [...args, ...changes, '-prune=0', `-rpcport=${port}`, '-rpcbind=127.0.0.1'],
    logFile: join(datadir, 'litecoind.log'),
  });
  onTestFinished(server.stop);
  const { username, password } = new URL(secret('ltc_node_url'));
  const ask = (word: string) =>
    fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${username}:${word}`)}` },
      body: JSON.stringify({ method: 'getblockchaininfo', params: [] }),
    });
  await waitUntil(async () => (await ask(password)).ok, { what: 'litecoind' });
  expect(await (await ask(password)).json()).toMatchObject({ result: { chain: 'regtest' } });
  expect((await ask('wrong')).status).toBe(401);
});

/** The command of a service of compose.yaml, with the defaults of its variables and without what tests change. */
function nodeCommand(service: string): string[] {
  const shape = z.object({
    services: z.record(z.string(), z.looseObject({ command: z.unknown().optional() })),
  });
  const { services } = shape.parse(parse(compose, { merge: true }));
  const words = z.array(z.string()).parse(services[service]?.command);
  const changed = /^-(conf|chain|prune|rpcport|rpcbind)=/;
  return words
    .map((word) => word.replaceAll(/\$\{\w+:-(\w*)\}/g, '$1'))
    .filter((word) => !changed.test(word));
}

const redis = { port: 0, stop: async (): Promise<void> => {} };
beforeAll(async () => {
  redis.port = await freePort();
  // As in the container, except for the paths of the secrets, the port and the listen address.
  const configuration = secret('redis_conf').replaceAll('/run/secrets', secrets);
  const file = join(folder, 'redis.conf');
  const changes = [`tls-port ${redis.port}`, 'bind 127.0.0.1', `dir ${folder}`];
  writeFileSync(file, `${[configuration, ...changes].join('\n')}\n`);
  const server = await startServer({
    name: 'redis',
    command: findProgram('redis-server') ?? 'redis-server',
    args: [file],
    logFile: join(folder, 'redis.log'),
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
