import { findProgram } from '@paywatch/dev/servers';
import { processTree } from '@paywatch/dev/testing';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Runs `work` with one core for the main threads of these processes alone, and the others for all else that this one has started:
 * what is measured shall not wait for whoever measures it. Only runs it where there is one core, or no `taskset` (util-linux).
 */
export async function withOwnCore<Result>(
  pids: readonly number[],
  work: () => Promise<Result>,
): Promise<Result> {
  const program = findProgram('taskset');
  const all = cores();
  const [own, ...others] = all;
  if (program === undefined || own === undefined || others.length === 0) return work();
  // One that has ended meanwhile is passed over.
  const bind = (allowed: readonly number[], pid: number, ...options: string[]) =>
    spawnSync(program, [...options, '--cpu-list', '--pid', allowed.join(), String(pid)]);
  for (const pid of processTree(process.pid)) bind(others, pid, '--all-tasks');
  for (const pid of pids) bind([own], pid);
  try {
    return await work();
  } finally {
    for (const pid of processTree(process.pid)) bind(all, pid, '--all-tasks');
  }
}

/** Those that this process may use. */
function cores(): number[] {
  const list = /^Cpus_allowed_list:\s*(.+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
