import { failed, ok, warning, type Finding } from '@paywatch/domain/deployment';
import { readdir } from 'node:fs/promises';
import { systemClock } from '@paywatch/runtime/process';
import { attempt } from '../attempt.ts';

const CHECK = 'Backup';
const HOUR_MS = 3_600_000;
/** A night, and the hours that a large database needs. */
const MAX_AGE_HOURS = 36;
/** Three nights without a backup. */
const FAILED_AGE_HOURS = 84;
const START = 'Start one now: `systemctl start paywatch-backup`.';
const ADVICE = `\`journalctl -u paywatch-backup\` says why. ${START}`;

/** Checks the age of the newest nightly backup in a folder; null if the installation makes none. Never rejects. */
export function checkBackup(folder: string | null): Promise<Finding> {
  return attempt(CHECK, `The folder is missing or unreadable. ${ADVICE}`, async () => {
    if (folder !== null) return judgeBackup(folder, await readdir(folder), systemClock.nowMs());
    return warning(
      CHECK,
      'this installation makes no backups',
      'Run `sh install.sh --backups /var/backups/paywatch`, or make them yourself (infra/runbooks/backup-and-restore.md).',
    );
  });
}

/** Warns after a missed night and fails after three. A dump has its name only once it was restored and compared. */
export function judgeBackup(folder: string, files: readonly string[], nowMs: number): Finding {
  const newestMs = Math.max(...files.map(madeAtMs));
  if (newestMs === -Infinity)
    return warning(CHECK, `none in ${folder} yet`, `The first is made tonight. ${START}`);
  const hours = Math.max(0, Math.floor((nowMs - newestMs) / HOUR_MS));
  const detail = `the newest in ${folder} is ${hours} hours old`;
  if (hours >= FAILED_AGE_HOURS) return failed(CHECK, detail, ADVICE);
  return hours >= MAX_AGE_HOURS ? warning(CHECK, detail, ADVICE) : ok(CHECK, detail);
}

/** The time in the name, which copies keep; -Infinity for other files. */
function madeAtMs(file: string): number {
  const [, day, hours, minutes, seconds] =
    /^paywatch-(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z\.dump$/.exec(file) ?? [];
  return day === undefined ? -Infinity : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
}
