import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { logTail, type ServerProcess } from './server-process.ts';
import { processTree } from '../testing/process-tree.ts';
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
 * the end of its log and the last error of `isReady` when it has ended, or when neither it nor a process below it has used CPU for
 * `hangMs`.
 */
export async function untilStarted(
  server: ServerProcess,
  isReady: () => Promise<boolean>,
  { hangMs = HANG_TIMEOUT_MS, say = (line) => console.error(line) }: StartOptions = {},
): Promise<void> {
  const startedMs = performance.now();
  const isHung = watchWork(server.pid, hangMs);
  let saidAtMs = startedMs;
  let reason = '';
  const askOnce = () =>
    isReady().catch((error: unknown) => {
      reason = String(error);
      return false;
    });
  while (!(await askOnce())) {
    if (server.hasExited()) throw failed(server, `ended at its start (${describeEnd(server)})`, reason);
    if (isHung()) throw failed(server, `did nothing for ${hangMs / 1000} s at its start`, reason);
    const nowMs = performance.now();
    if (nowMs - saidAtMs > SAY_EVERY_MS) {
      say(`waiting for ${server.name} to be ready (${Math.round((nowMs - startedMs) / 1000)} s)`);
      saidAtMs = nowMs;
    }
    await sleep(ASK_EVERY_MS);
  }
}

/** Returns a check for a hang: true once the process and its descendants have used no CPU time for `hangMs`. */
function watchWork(pid: number, hangMs: number): () => boolean {
  const readEveryMs = Math.min(hangMs / 10, 1000);
  let work = readWork(pid);
  let readAtMs = performance.now();
  let changedAtMs = readAtMs;
  return () => {
    const nowMs = performance.now();
    if (nowMs - readAtMs < readEveryMs) return false;
    readAtMs = nowMs;
    const before = work;
    work = readWork(pid);
    if (work !== before) changedAtMs = nowMs;
    return nowMs - changedAtMs > hangMs;
  };
}

function failed({ name, logFile }: ServerProcess, what: string, reason: string): Error {
  const why = reason === '' ? '' : `\nnot ready: ${reason}`;
  return new Error(`${name} ${what}:\n${logTail(logFile, TAIL_LINES)}${why}`);
}

function describeEnd(server: ServerProcess): string {
  return server.exitSignal() ?? `exit code ${server.exitCode()}`;
}

/** The CPU time that a process and those below it have used, in an unspecified unit; a constant where the system does not report it. */
function readWork(root: number): string {
  return processTree(root).map(readTimes).join();
}

function readTimes(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // User and system time; the name, which may hold spaces, ends with the last bracket.
    return stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).join(' ');
  } catch {
    return '';
  }
}
