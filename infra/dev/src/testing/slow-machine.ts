import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTree } from './process-tree.ts';
import { spawnBound } from '../servers/server-process.ts';
import { isErrno } from './temporary-folder.ts';

const SHORTEST_STALL_MS = 100;
const LONGEST_STALL_MS = 1000;

/**
 * Pins this process, and whatever it starts from now on, to one core, and keeps that core busy with a loop of its own, so that
 * everything is slow in the way a small machine that does much else is. Needs Linux with taskset. Dispose of it to end the loop.
 */
export async function useOneBusyCore(): Promise<AsyncDisposable> {
  const core = /(\d+)$/m.exec(statusField('Cpus_allowed_list'))?.[1] ?? '0';
  const pinning = spawnSync('taskset', ['-a', '-c', '-p', core, String(process.pid)], { encoding: 'utf8' });
  if (pinning.status !== 0)
    throw new Error('a slow machine needs Linux with taskset (util-linux)', { cause: pinning.stderr });
  return startProcess('busy loop', 'for (;;);');
}

/**
 * Keeps the machine irregularly busy, as other work on it does: one process computes for up to half a second, pauses as long, and
 * so on. Dispose of it to end it.
 */
export function disturb(): Promise<AsyncDisposable> {
  return startProcess('disturbance', DISTURBANCE);
}

const DISTURBANCE = `
  const work = () => {
    const ms = 50 + Math.random() * 450;
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
    setTimeout(work, ms);
  };
  work();`;

async function startProcess(name: string, script: string): Promise<AsyncDisposable> {
  const child = await spawnBound({ name, command: process.execPath, args: ['--eval', script] }, 'ignore');
  return {
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/**
 * Until the signal aborts: once a second, stops a random process that descends from this one for 0.1 to 1 s. Processes that are
 * stopped already are left alone: a test froze them.
 */
export async function stallProcesses(signal: AbortSignal, random: () => number): Promise<void> {
  while (!signal.aborted) {
    const stallMs = SHORTEST_STALL_MS + random() * (LONGEST_STALL_MS - SHORTEST_STALL_MS);
    const running = processTree(process.pid).filter((pid) => pid !== process.pid && isUnstopped(pid));
    const victim = running[Math.floor(random() * running.length)];
    if (victim !== undefined) await stall(victim, stallMs);
    await sleep(LONGEST_STALL_MS - stallMs, undefined, { signal }).catch(() => undefined);
  }
}

async function stall(pid: number, ms: number): Promise<void> {
  signalIfRunning(pid, 'SIGSTOP');
  await sleep(ms);
  signalIfRunning(pid, 'SIGCONT');
}

function isUnstopped(pid: number): boolean {
  return /^[RSD]/.test(statusField('State', pid));
}

/** A field of /proc/PID/status; empty where the process is gone. */
function statusField(name: string, pid: number | 'self' = 'self'): string {
  try {
    return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

function signalIfRunning(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}
