import { readFileSync } from 'node:fs';

/** The resident memory of a process in megabytes, with the pages of the Node binary that it shares with other processes. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
