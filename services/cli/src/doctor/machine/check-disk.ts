import { failed, ok, warning, type Finding } from '@paywatch/domain/deployment';
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { attempt } from '../attempt.ts';

/** A file system of this machine, by a folder on it. */
export type Space = { path: string; freeBytes: number; totalBytes: number };

const CHECK = 'Disk';
const ADVICE =
  'Postgres stops when its disk is full, and so do backups. Enlarge the disk, or delete what you do not need: old releases, old backups, ' +
  'logs (`journalctl --vacuum-size=500M`).';
const GIGABYTE = 1e9;
const MIN_BYTES = GIGABYTE;
/** A tenth of a large disk is no reason to worry. */
const LOW_SHARE = 0.1;
const LOW_BYTES = 20 * GIGABYTE;

/** Checks the free space of the file systems on which this machine has these folders; those that it lacks are left out. Never rejects. */
export function checkDisk(folders: readonly string[]): Promise<Finding> {
  return attempt(CHECK, 'Run this command as a user who may read the folder.', async () =>
    judgeDisk(await readSpaces(folders)),
  );
}

/** The file systems of the folders, each once, by the first of its folders. */
async function readSpaces(folders: readonly string[]): Promise<Space[]> {
  const spaces = new Map<number, Space>();
  for (const path of folders.filter((folder) => existsSync(folder))) {
    const { dev } = await stat(path);
    if (spaces.has(dev)) continue;
    const { bsize, bavail, blocks } = await statfs(path);
    spaces.set(dev, { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize });
  }
  return [...spaces.values()];
}

/** Fails below 1 GB, and warns below a tenth of the disk or 20 GB, whichever is less. */
export function judgeDisk(spaces: readonly Space[]): Finding {
  const detail = spaces.map(spaceText).join(', ');
  if (spaces.some(({ freeBytes }) => freeBytes < MIN_BYTES)) return failed(CHECK, detail, ADVICE);
  return spaces.some(isLow) ? warning(CHECK, detail, ADVICE) : ok(CHECK, detail);
}

function isLow({ freeBytes, totalBytes }: Space): boolean {
  return freeBytes < Math.min(totalBytes * LOW_SHARE, LOW_BYTES);
}

function spaceText({ path, freeBytes, totalBytes }: Space): string {
  return `${gigabytes(freeBytes)} of ${gigabytes(totalBytes)} free at ${path}`;
}

function gigabytes(bytes: number): string {
  const value = bytes / GIGABYTE;
  return `${value.toFixed(value < 10 ? 1 : 0)} GB`;
}
