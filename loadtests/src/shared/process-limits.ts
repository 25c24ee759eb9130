import { readdirSync, readFileSync } from 'node:fs';

/** What a process holds of the machine's memory, in bytes. Linux only. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** How many files and sockets a process has open. Linux only. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** What a process needs beside its streams. */
const OTHER_FILES = 500;

/** Throws, with what helps, where the system allows each process fewer open files than so many streams need. */
export function assertOpenFiles(streams: number): void {
  const needed = streams + OTHER_FILES;
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  if (Number(limit) < needed)
    throw new Error(
      `this needs ${needed} open files, and ${limit} are allowed: run \`ulimit -n ${needed}\` before it`,
    );
}
