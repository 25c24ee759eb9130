import { readFileSync } from 'node:fs';

/** Of all Linux systems, whatever their kernel's own clock does: the unit of /proc/PID/stat. */
const TICKS_PER_SECOND = 100;

/** Seconds of CPU that these processes have used, their threads included. Throws where there is no /proc. */
export function cpuSeconds(pids: readonly number[]): number {
  return (
    pids.reduce((sum, pid) => sum + ticksOf(readFileSync(`/proc/${pid}/stat`, 'utf8')), 0) / TICKS_PER_SECOND
  );
}

/** User and system time, the 14th and 15th field; the name in the 2nd may hold spaces and brackets. */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
