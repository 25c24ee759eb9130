import type { Terminal } from '@paywatch/dev/commands';
import { removeFolder, temporaryFolder } from '@paywatch/dev/testing';
import { findProgram } from '@paywatch/dev/servers';
import type { TrialResult } from './trial-result.ts';

/** A running trial. */
export type Recorder = {
  /** Folder that is removed at the end. */
  folder: string;
  parts: AsyncDisposableStack;
  done(step: string): void;
  /** Records a violation unless the condition holds. */
  check(holds: boolean, violation: string): void;
  /** For the demo: its steps are steps of the trial. */
  terminal: Terminal;
};

/**
 * Runs a trial and stops what it started. An error becomes a violation. If programs are missing, or without root, it only says so.
 */
export async function recordTrial(
  report: (step: string) => void,
  programs: readonly string[],
  work: (recorder: Recorder) => Promise<void>,
): Promise<TrialResult> {
  const obstacle = obstacleOf(programs);
  if (obstacle !== null) return { steps: [], violations: [`not run: ${obstacle}`] };
  const result: TrialResult = { steps: [], violations: [] };
  const folder = temporaryFolder('trial');
  const parts = new AsyncDisposableStack();
  parts.defer(() => removeFolder(folder));
  try {
    await work(createRecorder(result, report, folder, parts));
  } catch (error) {
    result.violations.push(error instanceof Error ? error.message : String(error));
  }
  await parts.disposeAsync();
  return result;
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

function createRecorder(
  result: TrialResult,
  report: (step: string) => void,
  folder: string,
  parts: AsyncDisposableStack,
): Recorder {
  const done = (step: string): void => {
    result.steps.push(step);
    report(step);
  };
  const terminal: Terminal = {
    done,
    line: () => undefined,
    step: async (title, work, describe) => {
      const value = await work();
      done(describe === undefined ? title : `${title}: ${describe(value)}`);
      return value;
    },
  };
  const check = (holds: boolean, violation: string): void =>
    void (holds || result.violations.push(violation));
  return { folder, parts, done, check, terminal };
}
