import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort, waitUntil } from '../src/index.ts';
import { startServer } from '../src/server-process.ts';
import { isRunning, temporaryFolder } from '../src/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'server-process-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a server does not outlive the process that started it, though that was killed', async () => {
  const source = `
    import { startServer } from ${JSON.stringify(new URL('../src/server-process.ts', import.meta.url).href)};
    const server = await startServer({ name: 'sleeper', command: '/bin/sleep', args: ['60'], logFile: '${folder}/log' });
    console.log(server.pid);`;
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(parent.stdout, 'data');
  const pid = Number(String(output));
  expect(isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await waitUntil(() => !isRunning(pid), { what: 'the server to end', timeoutMs: 5000 });
});

test('a server that ignores the signal to end is killed', async () => {
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

test('a command that does not exist is named in the error or in the log', async () => {
  const logFile = join(folder, 'log');
  // Started through setpriv, which ends with an error of its own; without it, the start itself fails.
  const start = startServer({ name: 'ghost', command: '/no/such/program', args: [], logFile });
  const complaint = await start.then(
    async ({ exited }) => exited.then(() => readFileSync(logFile, 'utf8')),
    (error: unknown) => String(error),
  );
  expect(complaint).toContain('/no/such/program');
});

test('a port is preferred while it is free, and another one is found when it is taken', async () => {
  const preferred = await freePort();
  expect(await freePort(preferred)).toBe(preferred);
  const holder = createServer().listen(preferred, '127.0.0.1');
  await once(holder, 'listening');
  expect(await freePort(preferred)).not.toBe(preferred);
  holder.close();
});

test('what a killed process left below the folder for temporary files is cleared away', () => {
  const abandoned = join(tmpdir(), 'paywatch-4194304999-redis-abcdef');
  mkdirSync(abandoned, { recursive: true });
  const own = temporaryFolder('test');
  expect(existsSync(abandoned)).toBe(false);
  expect(existsSync(own)).toBe(true);
});
