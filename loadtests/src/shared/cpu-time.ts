import { readFileSync } from 'node:fs';

/** The unit of /proc/PID/stat, the same on every Linux. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that these processes and all their threads have used. Linux only. */
export function cpuSeconds(pids: readonly number[]): number {
  return (
    pids.reduce((sum, pid) => sum + ticksOf(readFileSync(`/proc/${pid}/stat`, 'utf8')), 0) / TICKS_PER_SECOND
  );
}

/** User and system time are fields 14 and 15. Parsing starts after field 2, a name that may contain spaces and brackets. */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
