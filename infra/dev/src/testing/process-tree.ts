import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isErrno } from './temporary-folder.ts';

/**
 * Kills a process and all that descend from it, however many groups and sessions they opened: task runners put each task in a group
 * of its own, which a signal to theirs does not reach.
 */
export function killTree(root: number): void {
  // Read before anything is killed: afterwards orphans look like any other process.
  for (const pid of processTree(root)) killIfRunning(pid);
}

/** The id of a process, and of all that descend from it, nearest first. */
export function processTree(root: number): number[] {
  return [root, ...descendantsOf(root, process.platform === 'linux' ? parentsFromProc() : parentsFromPs())];
}

/** The ids of all processes below one, nearest first, given who is whose parent. */
export function descendantsOf(root: number, parents: ReadonlyMap<number, number>): number[] {
  const found = new Set([root]);
  for (const ancestor of found) {
    for (const [pid, parent] of parents) if (parent === ancestor) found.add(pid);
  }
  found.delete(root);
  return [...found];
}

/** procps, and with it ps, is missing from small images. */
function parentsFromProc(): Map<number, number> {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    ids.flatMap((id): [number, number][] => {
      const parent = /^PPid:\s*(\d+)/m.exec(readProc(`/proc/${id}/status`))?.[1];
      return parent === undefined ? [] : [[Number(id), Number(parent)]];
    }),
  );
}

/** A process may end between being listed and being read. */
function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH')) return '';
    throw error;
  }
}

function parentsFromPs(): Map<number, number> {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    lines.map((line): [number, number] => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
      return [pid, parent];
    }),
  );
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}
