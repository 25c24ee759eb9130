import { ok, warning, type Finding } from '@paywatch/domain/deployment';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const CHECK = 'Time source';
const TIMEOUT_MS = 5000;

/**
 * Checks that something sets the clock of this machine, for an installation whose Postgres is on it: there the clocks of both are one.
 * No finding where systemd does not run, and in a container, whose host keeps the clock.
 */
export async function checkTimeSource(): Promise<Finding[]> {
  const isContainer = (await ask('systemd-detect-virt', '--container')) !== null;
  if (isContainer) return [];
  return judgeTimeSource(await ask('timedatectl', 'show', '--property=NTPSynchronized', '--value'));
}

/** `synchronized` is the output of timedatectl; null if it failed. */
export function judgeTimeSource(synchronized: string | null): Finding[] {
  if (synchronized === 'yes') return [ok(CHECK, 'the clock of this machine is synchronized')];
  if (synchronized !== 'no') return [];
  return [
    warning(
      CHECK,
      'the clock of this machine is not synchronized',
      'Run `apt-get install systemd-timesyncd`, and let UDP 123 out: deadlines and webhook signatures contain the time.',
    ),
  ];
}

/** The output without the line break; null for a program that is missing or that fails. */
async function ask(program: string, ...args: string[]): Promise<string | null> {
  try {
    return (await promisify(execFile)(program, args, { timeout: TIMEOUT_MS })).stdout.trim();
  } catch {
    return null;
  }
}
