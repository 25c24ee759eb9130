import { findProgram } from '@paywatch/dev/servers';
import { processTree } from '@paywatch/dev/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const SHOWN_LINES = 10;
/** What has not ended by then is killed. */
const END_WITHIN_MS = 10_000;

export type CallOptions = {
  cwd?: string;
  /** Ends the program and whatever it started. */
  interrupted?: AbortSignal;
};

/**
 * Runs a program and returns its output, without the last line break. Throws with the end of its output for another exit code than 0.
 * After an interruption it throws once the program has ended, so that what the program used can be removed.
 */
export async function callProgram(
  program: string,
  args: readonly string[],
  { cwd, interrupted }: CallOptions = {},
): Promise<string> {
  interrupted?.throwIfAborted();
  const child = spawn(findProgram(program) ?? program, [...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => (output[name] += text));
  await closed(child, interrupted);
  interrupted?.throwIfAborted();
  if (child.exitCode === 0) return output.stdout.trimEnd();
  throw new Error(`${shown(program, args)} failed: ${endOf(`${output.stdout}\n${output.stderr}`)}`);
}

/** Resolves when the program, and what holds its output, has ended; an interruption ends them. */
async function closed(child: ChildProcess, interrupted: AbortSignal | undefined): Promise<void> {
  let overdue: NodeJS.Timeout | undefined;
  const end = () => {
    const pids = processTree(child.pid ?? 0);
    signalAll(pids, 'SIGTERM');
    // Programs such as debootstrap undo their mounts first.
    overdue = setTimeout(() => signalAll(pids, 'SIGKILL'), END_WITHIN_MS);
  };
  interrupted?.addEventListener('abort', end);
  try {
    await once(child, 'close');
  } finally {
    interrupted?.removeEventListener('abort', end);
    clearTimeout(overdue);
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!isEnded(error)) throw error;
    }
  }
}

/** Whether a signal had no process to reach. */
export function isEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}

/** Without the variables, which contain secrets. */
function shown(program: string, args: readonly string[]): string {
  return [program, '…', ...args.filter((word) => !word.includes('=')).slice(-4)].join(' ');
}

function endOf(output: string): string {
  return output.trim().split('\n').slice(-SHOWN_LINES).join('\n');
}
