import { readFileSync } from 'node:fs';

/** Resident memory of a process, in bytes. Linux only. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** Open files that a process needs in addition to its streams. */
const OTHER_FILES = 500;

/** Throws if the limit of open files per process is too low for this many streams; the message says how to raise it. */
export function assertOpenFiles(streams: number): void {
  const needed = streams + OTHER_FILES;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  if (Number(limit) < needed)
    throw new Error(
      `${needed} open files are needed, but the limit is ${limit}: run \`ulimit -n ${needed}\` first`,
    );
}
