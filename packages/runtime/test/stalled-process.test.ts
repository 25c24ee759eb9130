import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('support/stalling-process.ts', import.meta.url));

let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

async function startChild(): Promise<number> {
  child = fork(PROGRAM);
  const [{ healthPort }] = (await once(child, 'message')) as [{ healthPort: number }];
  return healthPort;
}

test('probes are answered while the event loop is blocked for six seconds; other requests wait', async () => {
  const port = await startChild();
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect(await ask('/health/ready')).toBe(200);
  const stall = { isOver: false };
  child.on('message', (message) => (stall.isOver ||= message === 'over'));
  child.send(6000);
  await once(child, 'message');
  const metrics = ask('/metrics');
  const answers: { ready: number; live: number }[] = [];
  while (!stall.isOver) answers.push({ ready: await ask('/health/ready'), live: await ask('/health/live') });
  expect(answers.length).toBeGreaterThan(3);
  expect(answers.every(({ ready, live }) => ready === 200 && live === 200)).toBe(true);
  expect(await metrics).toBe(200);
});

test('a dead event loop makes the process not ready', async () => {
  const port = await startChild();
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  expect(await isReady()).toBe(true);
  child.send(3_600_000);
  await expect.poll(isReady, { timeout: 120_000, interval: 500 }).toBe(false);
}, 150_000);
