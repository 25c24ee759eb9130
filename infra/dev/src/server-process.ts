import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What to run, and how it is asked to end. */
export type ServerCommand = {
  name: string;
  command: string;
  args: readonly string[];
  env?: Record<string, string | undefined>;
  cwd?: string;
  /** Receives standard output and error. */
  logFile: string;
  /** Runs as this user (Postgres refuses root). */
  user?: { uid: number; gid: number };
  /** What asks it to end in order. */
  stopSignal?: NodeJS.Signals;
  /** What it gets when we are killed and cannot ask. */
  deathSignal?: NodeJS.Signals;
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
  /** Asks it to end, kills it when it does not within `stopWithinMs` (10 s). Calling it again waits for the same end. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would, or with a signal of your choice that ends it. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Sends a signal and waits for nothing: SIGSTOP freezes it, SIGCONT lets it go on. */
  signal(name: NodeJS.Signals): void;
};

const running = new Set<ChildProcess>();
process.on('exit', killAll);

/**
 * Starts a server that cannot outlive us: not our exit, and not our being killed.
 *
 * It runs in a process group of its own, so that Ctrl-C in a terminal reaches us alone and we decide the order in
 * which servers end. Throws when the command cannot be started; does not wait until the server answers.
 */
export async function startServer(server: ServerCommand): Promise<ServerProcess> {
  const child = await spawnDetached(server);
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
    signal,
    stop: async () => {
      signal(server.stopSignal ?? 'SIGTERM');
      const overdue = setTimeout(() => signal('SIGKILL'), server.stopWithinMs ?? 10_000);
      await exited;
      clearTimeout(overdue);
    },
    kill: async (name = 'SIGKILL') => {
      signal(name);
      await exited;
    },
  };
}

/** The end of a server's log, to show in an error why it did not start. */
export function logTail(logFile: string, lines = 15): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/** The path of a program on PATH or in the folders where Debian keeps servers; undefined when it is in none. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function spawnDetached(server: ServerCommand): Promise<ChildProcess> {
  const log = openSync(server.logFile, 'a');
  const [command, ...args] = withDeathSignal(server);
  const child = spawn(command, args, {
    cwd: server.cwd,
    env: server.env ?? process.env,
    stdio: ['ignore', log, log],
    detached: true,
    ...server.user,
  });
  closeSync(log);
  running.add(child);
  child.once('exit', () => running.delete(child));
  child.once('error', () => running.delete(child));
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      if (!hasSetpriv()) watchFromOutside(child);
      resolve(child);
    });
    child.once('error', (cause) => reject(new Error(`${server.name} did not start: ${command}`, { cause })));
  });
}

/** Linux signals a child whose parent died if it was asked to (prctl PR_SET_PDEATHSIG, here by util-linux' setpriv). */
function withDeathSignal(server: ServerCommand): [string, ...string[]] {
  const setpriv = hasSetpriv();
  if (setpriv === undefined) return [server.command, ...server.args];
  const signal = (server.deathSignal ?? 'SIGKILL').slice('SIG'.length);
  return [setpriv, '--pdeathsig', signal, '--', server.command, ...server.args];
}

let setprivPath: string | undefined | null = null;
function hasSetpriv(): string | undefined {
  if (setprivPath === null) setprivPath = process.platform === 'linux' ? findProgram('setpriv') : undefined;
  return setprivPath;
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
  for (const child of running) child.kill('SIGKILL');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
