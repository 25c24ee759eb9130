import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'paywatch-';
const ours = new Set<string>();
process.on('exit', removeOurFolders);

/**
 * A new folder for the data of one server, removed with {@link removeFolder} or when this process exits.
 * Mode 0755, because Postgres reaches it as another user. Its name carries our pid, so that the next start can
 * clear away what a killed process left.
 */
export function temporaryFolder(purpose: string): string {
  removeAbandonedFolders();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-${purpose}-`));
  chmodSync(folder, 0o755);
  ours.add(folder);
  return folder;
}

/** Removes a folder and all it holds; a folder that is gone is fine. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  ours.delete(folder);
}

function removeOurFolders(): void {
  for (const folder of ours) removeFolder(folder);
}

function removeAbandonedFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    removeIfAllowed(join(tmpdir(), name));
  }
}

/** Another user's leftovers are not ours to remove, and no reason to fail. */
function removeIfAllowed(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (!isErrno(error, 'EACCES', 'EPERM', 'ENOTEMPTY')) throw error;
  }
}

/** Whether a process with this id exists, under any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

/** Whether an error of the operating system carries one of these codes. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
