import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { logTail, type ServerProcess } from './server-process.ts';
import { HANG_TIMEOUT_MS } from '../testing/wait-until.ts';

export type StartOptions = {
  /** After so long without work the process counts as hung. */
  hangMs?: number;
  /** Called at intervals with what is still missing; writes to standard error by default. */
  say?: (line: string) => void;
};

const ASK_EVERY_MS = 50;
/** How long nothing is said, and how often something is said after that. */
const SAY_EVERY_MS = 10_000;
const TAIL_LINES = 12;

/**
 * Waits until a server responds: for as long as its process lives and works, since a busy machine may need minutes. Throws with
 * the end of its log when it has ended, or has used no CPU for `hangMs`.
 */
export async function untilStarted(
  server: ServerProcess,
  isReady: () => Promise<boolean>,
  { hangMs = HANG_TIMEOUT_MS, say = (line) => console.error(line) }: StartOptions = {},
): Promise<void> {
  const startedMs = performance.now();
  let workedAtMs = startedMs;
  let saidAtMs = startedMs;
  let work = readWork(server.pid);
  while (!(await isReady().catch(() => false))) {
    if (server.hasExited()) throw failed(server, `ended at its start (${describeEnd(server)})`);
    const nowMs = performance.now();
    const workNow = readWork(server.pid);
    if (workNow !== work) [work, workedAtMs] = [workNow, nowMs];
    if (nowMs - workedAtMs > hangMs) throw failed(server, `did nothing for ${hangMs / 1000} s at its start`);
    if (nowMs - saidAtMs > SAY_EVERY_MS) {
      say(`waiting for ${server.name} to be ready (${Math.round((nowMs - startedMs) / 1000)} s)`);
      saidAtMs = nowMs;
    }
    await sleep(ASK_EVERY_MS);
  }
}

function failed({ name, logFile }: ServerProcess, what: string): Error {
  return new Error(`${name} ${what}:\n${logTail(logFile, TAIL_LINES)}`);
}

function describeEnd(server: ServerProcess): string {
  return server.exitSignal() ?? `exit code ${server.exitCode()}`;
}

/** The CPU time that a process has used, in an unspecified unit; a constant where the system does not report it. */
function readWork(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // User and system time; the name, which may hold spaces, ends with the last bracket.
    return stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).join(' ');
  } catch {
    return '';
  }
}
