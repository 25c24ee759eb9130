import { findProgram } from '@paywatch/dev/servers';
import { processTree } from '@paywatch/dev/testing';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Reserves one core for the main threads of these processes while `work` runs, so that the measured process does not wait for the
 * benchmark itself. With a single core, or without `taskset` (util-linux), it only runs `work`.
 */
export async function withOwnCore<Result>(
  pids: readonly number[],
  work: () => Promise<Result>,
): Promise<Result> {
  const program = findProgram('taskset');
  const all = cores();
  const [own, ...others] = all;
  if (program === undefined || own === undefined || others.length === 0) return work();
  // The exit code is ignored, because a process of the list may have ended by now.
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

/** The cores that this process may use. */
function cores(): number[] {
  const list = /^Cpus_allowed_list:\s*(.+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => first + at);
  });
}
