import { freePort } from '@paywatch/dev/servers';
import { repositoryFolder } from '@paywatch/dev/stack';
import { waitUntil } from '@paywatch/dev/testing';
import { byOperator } from '@paywatch/store/accounts';
import { getEvent, redeliverEvent } from '@paywatch/store/webhooks';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { causeEvent, createProject, setEndpoint } from './support/merchant.ts';
import { receiverVectors } from './support/receiver-vectors.ts';
import { openShopBench, type ShopBench } from './support/shop.ts';
import { Webhook } from 'standardwebhooks';

/* Runs the receivers of the documentation and of the client's examples as a merchant would. */

const RECEIVERS = join(repositoryFolder, 'docs/receivers');
const VECTORS = join(RECEIVERS, 'vectors.json');
const EXAMPLES = join(repositoryFolder, 'packages/client/examples');

type Receiver = {
  name: string;
  /** Working directory of the server. */
  folder: string;
  /** The command that serves on `port`; `built` is a folder for compiled files. */
  serve(port: number, built: string): { command: string; args: string[] };
};

type Language = Receiver & {
  /** Program that must be installed, and the arguments that print its version. */
  program: string;
  versionArgs: string[];
  checkVectors: string[];
};

const LANGUAGES: Language[] = [
  {
    name: 'TypeScript',
    folder: join(RECEIVERS, 'typescript'),
    program: process.execPath,
    versionArgs: ['--version'],
    checkVectors: ['check-vectors.ts', VECTORS],
    serve: () => ({ command: process.execPath, args: ['receiver.ts'] }),
  },
  {
    name: 'Python',
    folder: join(RECEIVERS, 'python'),
    program: 'python3',
    versionArgs: ['--version'],
    checkVectors: ['check_vectors.py', VECTORS],
    serve: () => ({ command: 'python3', args: ['receiver.py'] }),
  },
  {
    name: 'PHP',
    folder: join(RECEIVERS, 'php'),
    program: 'php',
    versionArgs: ['--version'],
    checkVectors: ['check_vectors.php', VECTORS],
    serve: (port) => ({ command: 'php', args: ['-S', `127.0.0.1:${port}`, 'receiver.php'] }),
  },
  {
    name: 'Go',
    folder: join(RECEIVERS, 'go'),
    program: 'go',
    versionArgs: ['version'],
    checkVectors: ['test', '-count=1', '-vet=off', '.'],
    // Killing `go run` does not kill the server that it starts.
    serve: (_port, built) => {
      runIn(join(RECEIVERS, 'go'), 'go', ['build', '-o', join(built, 'receiver'), '.']);
      return { command: join(built, 'receiver'), args: [] };
    },
  },
];

/** Receivers for the frameworks that merchants use. */
const FRAMEWORKS: Receiver[] = ['Express', 'Fastify', 'Hono'].map((name) => ({
  name,
  folder: EXAMPLES,
  serve: () => ({ command: process.execPath, args: [`${name.toLowerCase()}.ts`] }),
}));

let bench: ShopBench;
let folder: string;
const endings: (() => void)[] = [];

beforeAll(async () => {
  bench = await openShopBench();
  await bench.startWorker();
  folder = mkdtempSync(join(tmpdir(), 'paywatch-receivers-'));
});
afterAll(async () => {
  for (const end of endings) end();
  await bench.close();
  rmSync(folder, { recursive: true });
});

function isInstalled(program: string, versionArgs: string[]): boolean {
  return spawnSync(program, versionArgs).status === 0;
}

/** Makes the test summary name the missing program. */
function skipWithout(program: string) {
  return { meta: { skipReason: `${program} is not installed` } };
}

const environment = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  PYTHONDONTWRITEBYTECODE: '1',
};

function runIn(cwd: string, program: string, args: string[]) {
  return spawnSync(program, args, { cwd, env: environment, encoding: 'utf8' });
}

/** Starts a receiver behind a proxy that terminates TLS. Returns the receiver's own URL. */
async function startReceiver(receiver: Receiver, secret: string, tlsPort: number): Promise<string> {
  const port = await freePort();
  const { command, args } = receiver.serve(port, folder);
  const handled = join(folder, receiver.name);
  const child = spawn(command, args, {
    cwd: receiver.folder,
    env: { ...environment, PORT: String(port), PAYWATCH_SECRET: secret, HANDLED: handled },
    stdio: 'ignore',
  });
  const { certificate: cert, privateKey: key } = bench.certificate;
  const proxy = createServer({ cert, key }, (outer) => {
    const inner = connect(port, '127.0.0.1');
    for (const socket of [inner, outer]) socket.on('error', () => [inner, outer].forEach((s) => s.destroy()));
    outer.pipe(inner).pipe(outer);
  }).listen(tlsPort, '127.0.0.1');
  endings.push(
    () => child.kill('SIGKILL'),
    () => proxy.close(),
  );
  const url = `http://127.0.0.1:${port}/webhooks`;
  await waitUntil(async () => !(await fetch(url)).ok, { what: `the receiver with ${receiver.name}` });
  return url;
}

test('the vectors in the documentation are those that the signing code generates', async () => {
  await expect(`${JSON.stringify(receiverVectors(), null, 2)}\n`).toMatchFileSnapshot(VECTORS);
});

test('the Standard Webhooks library creates the same signatures for the vectors', () => {
  const own = receiverVectors().filter(({ headers }) => 'webhook-signature' in headers);
  expect(own.length).toBeGreaterThan(2);
  for (const { secret, headers, body } of own)
    expect(new Webhook(secret).sign(String(headers['webhook-id']), dateOf(headers), body)).toBe(
      headers['webhook-signature'],
    );
});

test.runIf(isInstalled('openssl', ['version']))(
  'the shell command in the guide computes the signature of a vector',
  skipWithout('openssl'),
  () => {
    const guide = readFileSync(join(repositoryFolder, 'docs/guides/verify-a-webhook.md'), 'utf8');
    const [, command = ''] = /```sh\n(.*?)```/s.exec(guide) ?? [];
    const [vector] = receiverVectors().filter(({ accept }) => accept);
    const [, T, signature] = /t=(\d+),v1=([0-9a-f]{64})/.exec(vector?.headers['X-Signature'] ?? '') ?? [];
    writeFileSync(join(folder, 'body'), vector?.body ?? '');
    const env = { ...environment, T, PAYWATCH_SECRET: vector?.secret };
    const { stdout } = spawnSync('sh', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
    expect(stdout.trim().split(' ').at(-1)).toBe(signature);
  },
);

function dateOf(headers: Record<string, string>): Date {
  return new Date(Number(headers['webhook-timestamp']) * 1000);
}

for (const { name, folder: place, program, versionArgs, checkVectors, serve } of LANGUAGES) {
  const installed = isInstalled(program, versionArgs);

  test.runIf(installed)(
    `${name}: every vector is accepted or refused as documented`,
    skipWithout(program),
    () => {
      const { status, stdout, stderr } = runIn(place, program, checkVectors);
      expect({ status, output: stdout + stderr }).toMatchObject({ status: 0 });
    },
  );

  test.runIf(installed)(
    `${name}: a delivery is handled once, its redelivery is ignored, and a forgery is refused`,
    skipWithout(program),
    () => expectToReceive({ name, folder: place, serve }),
  );
}

test.each(FRAMEWORKS)(
  '$name: a delivery is handled once, its redelivery is ignored, and a forgery is refused',
  expectToReceive,
);

async function expectToReceive(receiver: Receiver): Promise<void> {
  const tlsPort = await freePort();
  const projectId = await createProject(bench.store);
  const endpoint = `https://localhost:${tlsPort}/webhooks`;
  const secret = await setEndpoint(bench.store, bench.sealer, projectId, endpoint);
  const url = await startReceiver(receiver, secret, tlsPort);

  const { id, body } = await causeEvent(bench.store, projectId, { data: { invoice: { order_id: '1' } } });
  expect(await bench.afterAttempts(id, 1)).toMatchObject({ status: 'delivered' });
  await redeliverEvent(bench.store, byOperator, projectId, id);
  expect(await bench.afterAttempts(id, 2)).toMatchObject({ status: 'delivered' });
  const event = await getEvent(bench.store, projectId, id);
  expect(event?.attempts.map((attempt) => attempt.responseExcerpt)).toEqual(['handled', 'seen before']);

  const now = Math.floor(Date.now() / 1000);
  const forged = { 'Content-Type': 'application/json', 'X-Signature': `t=${now},v1=${'0'.repeat(64)}` };
  expect((await fetch(url, { method: 'POST', body, headers: forged })).status).toBe(400);
  const unsigned = { 'Content-Type': 'application/json' };
  expect((await fetch(url, { method: 'POST', body, headers: unsigned })).status).toBe(400);
  expect((await fetch(url)).ok).toBe(false);
}
