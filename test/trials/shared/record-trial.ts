import type { Terminal } from '@paywatch/dev/commands';
import { removeFolder, temporaryFolder } from '@paywatch/dev/testing';
import { findProgram } from '@paywatch/dev/servers';
import { readFileSync } from 'node:fs';
import { callProgram } from './call-program.ts';
import type { Trial, TrialResult } from './trial-result.ts';

/** A running trial. */
export type Recorder = {
  /** Folder that is removed at the end. */
  folder: string;
  parts: AsyncDisposableStack;
  /** Ends programs and waits. After it every step throws. */
  interrupted: AbortSignal;
  done(step: string): void;
  /** Records a violation unless the condition holds. */
  check(holds: boolean, violation: string): void;
  /** For the demo: its steps are steps of the trial. */
  terminal: Terminal;
};

type Work = (recorder: Recorder) => Promise<void>;

/** Creates a trial of a function. If programs are missing, or without root, it only says so. */
export function createTrial(programs: readonly string[], work: Work): Trial {
  return (report, interrupted) => {
    const obstacle = obstacleOf(programs);
    if (obstacle !== null) return Promise.resolve({ steps: [], violations: [`not run: ${obstacle}`] });
    return recordTrial(work)(report, interrupted);
  };
}

/**
 * Runs a trial and stops what it started, once its work has ended: after an interruption nothing is started beside the clean-up. An error
 * becomes a violation.
 */
export function recordTrial(work: Work): Trial {
  return async (report, interrupted) => {
    const result: TrialResult = { steps: [], violations: [] };
    const noteError = (error: unknown) =>
      void result.violations.push(error instanceof Error ? error.message : String(error));
    const folder = temporaryFolder('trial');
    const parts = new AsyncDisposableStack();
    parts.defer(() => removeTree(folder));
    await work(createRecorder({ result, report, folder, parts, interrupted })).catch((error: unknown) => {
      if (!interrupted.aborted) noteError(error);
    });
    if (interrupted.aborted) result.violations.push('interrupted');
    await parts.disposeAsync().catch(noteError);
    return result;
  };
}

/** Unmounts what a program that was killed left mounted: removing it would remove files of this machine. */
async function removeTree(folder: string): Promise<void> {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
  const below = mounts
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));
  for (const path of below.toReversed()) await callProgram('umount', ['--lazy', path]);
  removeFolder(folder);
}

/** The Debian packages of programs that are not named after them. */
const PACKAGES: Readonly<Record<string, string>> = {
  'systemd-nspawn': 'systemd-container',
  nsenter: 'util-linux',
  ip: 'iproute2',
  sysctl: 'procps',
};

/** Why the trial cannot run on this machine, or null. */
export function obstacleOf(
  programs: readonly string[],
  { find = findProgram, uid = process.getuid?.() } = {},
): string | null {
  const missing = programs.filter((program) => find(program) === undefined);
  const packages = missing.map((program) => PACKAGES[program] ?? program);
  if (missing.length > 0) return `${missing.join(', ')} missing: apt-get install ${packages.join(' ')}`;
  return uid === 0 ? null : 'it needs root';
}

type Recording = Pick<Recorder, 'folder' | 'parts' | 'interrupted'> & {
  result: TrialResult;
  report: (step: string) => void;
};

function createRecorder({ result, report, ...common }: Recording): Recorder {
  const done = (step: string): void => {
    common.interrupted.throwIfAborted();
    result.steps.push(step);
    report(step);
  };
  const terminal: Terminal = {
    done,
    line: () => undefined,
    step: async (title, work, describe) => {
      const value = await unlessInterrupted(work(), common.interrupted);
      done(describe === undefined ? title : `${title}: ${describe(value)}`);
      return value;
    },
  };
  const check = (holds: boolean, violation: string): void =>
    void (holds || result.violations.push(violation));
  return { ...common, done, check, terminal };
}

/** Settles as `wait` does; an interruption rejects at once. For what starts nothing that would have to be removed. */
export async function unlessInterrupted<T>(wait: Promise<T>, interrupted: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(interrupted.reason);
  interrupted.addEventListener('abort', onAbort);
  if (interrupted.aborted) onAbort();
  return Promise.race([wait, promise]).finally(() => interrupted.removeEventListener('abort', onAbort));
}
