import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { accessSync, closeSync, constants, fchmodSync, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isErrno } from '../testing/temporary-folder.ts';

/** A program to run as our child. */
export type BoundCommand = {
  name: string;
  command: string;
  args: readonly string[];
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Runs as this user (Postgres refuses root). */
  user?: { uid: number; gid: number };
  /** What it gets when we are killed and cannot ask; SIGKILL by default. */
  deathSignal?: NodeJS.Signals;
};

/** A server to run as our child, and how it is asked to end. */
export type ServerCommand = BoundCommand & {
  /** Receives standard output and error; only our user may read it. */
  logFile: string;
  /** What asks it to end in order; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  /** When it is killed instead; 10 s by default. */
  stopWithinMs?: number;
};

/** A server that runs as our child, and its two ways to end. */
export type ServerProcess = {
  name: string;
  pid: number;
  logFile: string;
  /** Settles once it ended, for whatever reason. */
  exited: Promise<void>;
  hasExited(): boolean;
  /** Null while it runs, and where a signal ended it. */
  exitCode(): number | null;
  /** The signal that ended it; null while it runs, and where it exited by itself. */
  exitSignal(): NodeJS.Signals | null;
  /** Asks it to end, kills it when it does not within `stopWithinMs` (10 s). Calling it again waits for the same end. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would, or with a signal of your choice that ends it. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal without waiting: SIGSTOP freezes the process, SIGCONT continues it. */
  signal(name: NodeJS.Signals): void;
};

/** Logs can contain wallet keys and settings, so other users of the machine must not read them. */
const PRIVATE = 0o600;

const MAX_LINE = 400;

const running = new Set<ChildProcess>();
process.on('exit', killAll);

/** Starts a server, see {@link spawnBound}. Throws when it cannot be started; does not wait until it responds. */
export async function startServer(server: ServerCommand): Promise<ServerProcess> {
  const log = openSync(server.logFile, 'a', PRIVATE);
  // One that an earlier run left keeps the mode that it had.
  fchmodSync(log, PRIVATE);
  const child = await spawnBound(server, ['ignore', log, log]).finally(() => closeSync(log));
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${server.name} did not start`);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const signal = (name: NodeJS.Signals): void => {
    if (!hasExited()) child.kill(name);
  };
  return {
    name: server.name,
    pid,
    logFile: server.logFile,
    exited,
    hasExited,
    exitCode: () => child.exitCode,
    exitSignal: () => child.signalCode,
    signal,
    stop: async () => {
      signal(server.stopSignal ?? 'SIGTERM');
      const overdue = setTimeout(() => killGroup(child), server.stopWithinMs ?? 10_000);
      await exited;
      clearTimeout(overdue);
    },
    kill: async (name = 'SIGKILL') => {
      signal(name);
      await exited;
    },
  };
}

/** The end of a server's log, to show in an error why it did not start. Long lines are cut, so that the last one is still shown. */
export function logTail(logFile: string, lines = 15): string {
  const last = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines);
  return last.map((line) => line.slice(0, MAX_LINE)).join('\n');
}

/** The path of a program on PATH or in the folders where Debian keeps servers; undefined when it is in none. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/**
 * Starts a child that cannot outlive us: not our exit, and not our being killed.
 * It runs in a process group of its own, so that Ctrl-C in a terminal reaches us alone and we decide in which order
 * children end. Rejects when the command cannot be started.
 */
export function spawnBound(bound: BoundCommand, stdio: StdioOptions): Promise<ChildProcess> {
  const [command, ...args] = withDeathSignal(bound);
  const { cwd, env = process.env, user } = bound;
  const child = spawn(command, args, { cwd, env, stdio, detached: true, ...user });
  running.add(child);
  for (const end of ['exit', 'error']) child.once(end, () => running.delete(child));
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      if (setprivPath() === undefined) watchFromOutside(child);
      resolve(child);
    });
    child.once('error', (cause) => reject(new Error(`${bound.name} did not start: ${command}`, { cause })));
  });
}

/** Kills a child and whatever it started in its group; one that ended already is fine. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isErrno(error, 'ESRCH')) throw error;
  }
}

/** Linux signals a child whose parent died if it was asked to (prctl PR_SET_PDEATHSIG, here by util-linux' setpriv). */
function withDeathSignal({ command, args, deathSignal = 'SIGKILL' }: BoundCommand): [string, ...string[]] {
  const setpriv = setprivPath();
  if (setpriv === undefined) return [command, ...args];
  return [setpriv, '--pdeathsig', deathSignal.slice('SIG'.length), '--', command, ...args];
}

const setprivPath = once(() => (process.platform === 'linux' ? findProgram('setpriv') : undefined));

function once<T>(look: () => T): () => T {
  let found: { value: T } | undefined;
  return () => (found ??= { value: look() }).value;
}

/** Where there is no death signal (macOS), a shell of a few kilobytes looks every second whether we still live. */
function watchFromOutside(child: ChildProcess): void {
  const loop = 'while kill -0 "$1" && kill -0 "$2"; do sleep 1; done 2>/dev/null; kill -9 "$2" 2>/dev/null';
  const watchdog = spawn(
    '/bin/sh',
    ['-c', loop, 'paywatch-watchdog', String(process.pid), String(child.pid)],
    {
      detached: true,
      stdio: 'ignore',
    },
  );
  watchdog.unref();
}

function killAll(): void {
  for (const child of running) killGroup(child);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
