import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type ServerProcess } from '../../src/servers/server-process.ts';
import { killTree } from '../../src/testing/process-tree.ts';
import { untilStarted } from '../../src/servers/until-started.ts';

let folder: string;
let server: ServerProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'until-started-'));
});
afterEach(async () => {
  if (server?.hasExited() === false) killTree(server.pid);
  await server?.exited;
  rmSync(folder, { recursive: true });
});

async function run(script: string): Promise<ServerProcess> {
  const logFile = join(folder, 'log');
  server = await startServer({ name: 'api-1', command: '/bin/sh', args: ['-c', script], logFile });
  return server;
}

const never = () => Promise.resolve(false);
const refused = () => Promise.reject(new Error('refused'));

test('a process that exits while it starts is reported with the last lines of its log', async () => {
  const started = await run('echo starting; echo "REDIS_URL: no such host" >&2; exit 1');
  await expect(untilStarted(started, never)).rejects.toThrow(
    /^api-1 ended at its start \(exit code 1\):\nstarting\nREDIS_URL: no such host$/,
  );
});

test.skipIf(process.platform !== 'linux')(
  'one that does nothing is given up, and one that works is waited for, which is said',
  async () => {
    const idle = await run('echo idle; exec sleep 3600');
    await expect(untilStarted(idle, refused, { hangMs: 500 })).rejects.toThrow(
      /^api-1 did nothing for 0.5 s at its start:\nidle\nnot ready: Error: refused$/,
    );
    await idle.kill();

    // In a process below that of the server, as where a program starts it.
    const busy = await run('(while :; do :; done); true');
    const said: string[] = [];
    // Ready once it was said: long after an idle process would have been given up.
    await untilStarted(busy, async () => said.length > 0, { hangMs: 5000, say: (line) => said.push(line) });
    expect(said).toEqual([expect.stringMatching(/^waiting for api-1 to be ready \(\d+ s\)$/)]);
  },
);
