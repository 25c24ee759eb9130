import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../src/servers/free-port.ts';
import { waitUntil } from '../../src/testing/wait-until.ts';
import { startServer } from '../../src/servers/server-process.ts';
import { descendantsOf, killTree } from '../../src/testing/process-tree.ts';
import { temporaryFolder } from '../../src/testing/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'server-process-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a server does not outlive the process that started it, even if that is killed', async () => {
  const source = `
    import { startRedis } from ${JSON.stringify(new URL('../../src/servers/redis/redis.ts', import.meta.url).href)};
    const { port } = await startRedis({ own: true });
    console.log(port);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(parent.stdout, 'data');
  const port = Number(String(output));
  expect(await freePort(port)).not.toBe(port);
  parent.kill('SIGKILL');
  await waitUntil(async () => (await freePort(port)) === port, {
    what: 'the server to end',
  });
});

test('a server that ignores SIGTERM is killed', async () => {
  const server = await startServer({
    name: 'stubborn',
    command: '/bin/sh',
    args: ['-c', 'trap "" TERM; echo ready; while true; do sleep 0.1; done'],
    logFile: join(folder, 'log'),
    stopWithinMs: 200,
  });
  await waitUntil(() => readFileSync(server.logFile, 'utf8').includes('ready'), { what: 'the trap' });
  await server.stop();
  expect(server.hasExited()).toBe(true);
});

test('the error or the log names a command that does not exist', async () => {
  const logFile = join(folder, 'log');
  // With setpriv the log contains its error; without it, the start itself fails.
  const start = startServer({ name: 'ghost', command: '/no/such/program', args: [], logFile });
  const complaint = await start.then(
    async ({ exited }) => exited.then(() => readFileSync(logFile, 'utf8')),
    (error: unknown) => String(error),
  );
  expect(complaint).toContain('/no/such/program');
});

test('the preferred port is returned if it is free, otherwise another one', async () => {
  const preferred = await freePort();
  expect(await freePort(preferred)).toBe(preferred);
  const holder = createServer().listen(preferred, '127.0.0.1');
  await once(holder, 'listening');
  expect(await freePort(preferred)).not.toBe(preferred);
  holder.close();
});

test('a reserved port is given to no other process', async () => {
  const port = await freePort();
  const other = createSocket('udp4');
  other.bind(port, '127.0.0.1');
  const [error] = await once(other, 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
  other.close();
});

test('temporary folders of killed processes are removed', () => {
  const abandoned = join(tmpdir(), 'paywatch-4194304999-redis-abcdef');
  mkdirSync(abandoned, { recursive: true });
  const own = temporaryFolder('test');
  expect(existsSync(abandoned)).toBe(false);
  expect(existsSync(own)).toBe(true);
});

test('a process is killed with all its descendants, even in other process groups', async () => {
  const source = `
    const child = require('node:child_process').spawn('/bin/sleep', ['60'], { detached: true, stdio: 'ignore' });
    console.log(child.pid);`;
  const parent = spawn(process.execPath, ['--eval', source], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(parent.stdout, 'data');
  killTree(Number(parent.pid));
  await expect.poll(() => hasEnded(Number(String(output)))).toBe(true);
  await expect.poll(() => hasEnded(Number(parent.pid))).toBe(true);
});

test('descendants are found at any depth, and other processes are not', () => {
  const parents = new Map([
    [2, 1],
    [5, 4],
    [3, 2],
    [4, 3],
    [9, 8],
  ]);
  expect(descendantsOf(2, parents)).toEqual([3, 4, 5]);
});

/** Whether the process has ended, or is a zombie that its parent has not yet reaped. */
function hasEnded(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || /^State:\s*Z/m.test(readFileSync(status, 'utf8'));
}
