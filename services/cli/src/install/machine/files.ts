import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { FileStep } from '../plan/step.ts';
import type { Machine } from './machine.ts';

type Access = { path: string; mode: number; owner: string };

/** Whether a file has its content, mode and owner. */
export function isFileDone(step: FileStep, machine: Machine): boolean {
  return (
    existsSync(step.path) &&
    readFileSync(step.path, 'utf8') === step.content &&
    hasModeAndOwner(step, machine)
  );
}

/** Whether a file or folder has its mode and owner. */
export function hasModeAndOwner({ path, mode, owner }: Access, machine: Machine): boolean {
  const hasMode = (statSync(path).mode & 0o7777) === mode;
  return hasMode && machine.ask('stat', ['--format', '%U:%G', path]).stdout.trim() === owner;
}

/** Sets mode and owner. */
export function setModeAndOwner({ path, mode, owner }: Access, machine: Machine): void {
  machine.run('chown', [owner, path]);
  chmodSync(path, mode);
}

/** Replaces a file in one step. Nobody but root can read the new one before it has its mode and owner. */
export function writeFile(step: FileStep, machine: Machine): void {
  mkdirSync(dirname(step.path), { recursive: true });
  replaceFile(step.path, step.content, (path) => setModeAndOwner({ ...step, path }, machine));
}

/** Writes a file beside the one at `path`, prepares it, and moves it there. */
function replaceFile(path: string, content: string, prepare: (path: string) => void): void {
  const fresh = `${path}.paywatch-new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, content, { mode: 0o600, flag: 'wx' });
  prepare(fresh);
  renameSync(fresh, path);
}
