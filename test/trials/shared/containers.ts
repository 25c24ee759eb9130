import { killTree, processTree } from '@paywatch/dev/testing';
import { findProgram, startServer, untilStarted } from '@paywatch/dev/servers';
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callProgram } from './call-program.ts';

/** Images and containers in a folder of their own, without a daemon, and without namespaces that this machine may refuse. */
export type Containers = {
  /** Builds an image with `podman build` and tags it. */
  build(tag: string, file: string, context: string): Promise<void>;
  /** The fields of an image's configuration, by a Go template. */
  inspect(tag: string, template: string): Promise<string>;
  /** Creates a container of an image and returns it. `hosts` are further names, each with its address. */
  create(tag: string, hosts?: Readonly<Record<string, string>>): Promise<Container>;
};

/** A process in a container. */
export type ContainerProcess = {
  name: string;
  /** Waits until it is ready. Throws with the end of its log if it ends before, or does nothing. */
  untilReady(isReady: () => Promise<boolean>): Promise<void>;
  /** The user id that the process runs as. */
  uid(): number;
  /** Sends SIGTERM to the process, as a container engine does, and resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Ends it at once, whether or not it runs. */
  kill(): Promise<void>;
};

/** What runs in a container. */
export type ContainerCommand = {
  words: readonly string[];
  /** Plain variables. */
  env?: Readonly<Record<string, string>>;
  /** Folders of the host, by their paths in the container; read-only unless they end with `:rw`. */
  mounts?: Readonly<Record<string, string>>;
  user?: string;
  /** The network namespace that it runs in: a path below /run/netns. By default that of the host. */
  network?: string;
  /** The working folder in the container, if it is not that of the image. */
  workingFolder?: string;
};

export type Container = {
  /** The folder that contains its files. */
  root(): Promise<string>;
  /** Runs a command to its end and returns what it printed. Throws for another exit code than 0. */
  run(command: ContainerCommand): Promise<string>;
  start(name: string, command: ContainerCommand): Promise<ContainerProcess>;
};

/** Opens an empty storage in `folder`. `interrupted` ends the programs that build and run. */
export function openContainers(folder: string, interrupted: AbortSignal): Containers {
  const storage = [
    '--root',
    join(folder, 'storage'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver=vfs',
  ];
  const call: Call = (program, args) => callProgram(program, args, { interrupted });
  const inStorage: Call = (program, args) => call(program, [...storage, ...args]);
  return {
    build: async (tag, file, context) => {
      const options = ['--isolation=chroot', '--layers=false', '--pull=never', '--network=host'];
      await inStorage('podman', ['build', ...options, '--tag', tag, '--file', file, context]);
    },
    inspect: (tag, template) => inStorage('podman', ['image', 'inspect', '--format', template, tag]),
    create: async (tag, hosts = {}) => {
      const names = Object.entries(hosts).map(([host, address]) => `--add-host=${host}:${address}`);
      const id = await inStorage('buildah', ['from', '--pull-never', ...names, tag]);
      return openContainer({ id, storage, folder, call });
    },
  };
}

type Call = (program: string, args: readonly string[]) => Promise<string>;
type Storage = { id: string; storage: readonly string[]; folder: string; call: Call };

function openContainer({ id, storage, folder, call }: Storage): Container {
  const wordsOf = (command: ContainerCommand): readonly string[] =>
    inNetwork(command, ['buildah', ...storage, ...runArguments(id, command)]);
  return {
    root: () => call('buildah', [...storage, 'mount', id]),
    run: (command) => {
      const [program = '', ...args] = wordsOf(command);
      return call(program, args);
    },
    start: async (name, command) => {
      const [program = '', ...args] = wordsOf(command);
      const logFile = join(folder, `${name}.log`);
      const server = await startServer({ name, command: findProgram(program) ?? program, args, logFile });
      const mainProcess = () => findMainProcess(name, server.pid);
      return {
        name,
        untilReady: (isReady) => untilStarted(server, isReady),
        uid: () => uidOf(mainProcess()),
        stop: async () => {
          if (!server.hasExited()) process.kill(mainProcess(), 'SIGTERM');
          await server.exited;
          return server.exitCode();
        },
        kill: async () => {
          // Processes below buildah outlive it.
          if (!server.hasExited()) killTree(server.pid);
          await server.exited;
        },
      };
    },
  };
}

/** buildah leaves its process in our network, so we enter the namespace before it. */
function inNetwork({ network }: ContainerCommand, words: readonly string[]): readonly string[] {
  return network === undefined ? words : ['nsenter', `--net=${network}`, '--', ...words];
}

/** The arguments of `buildah run`. */
export function runArguments(
  id: string,
  { words, env = {}, mounts = {}, user = '1000:1000', workingFolder }: ContainerCommand,
): string[] {
  const variables = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`);
  const volumes = Object.entries(mounts).map(([path, source]) =>
    source.endsWith(':rw') ? `--volume=${source.slice(0, -3)}:${path}` : `--volume=${source}:${path}:ro`,
  );
  const options = ['--isolation=chroot', '--network=host', `--user=${user}`, '--cap-drop=all'];
  if (workingFolder !== undefined) options.push(`--workingdir=${workingFolder}`);
  return ['run', ...options, ...variables, ...volumes, id, '--', ...words];
}

/** Each of them runs the next one, and buildah runs the command below copies of itself that have no file. */
const STARTER = /\/(setpriv|nsenter|buildah)$|^\/memfd:buildah-/;

/** By its program, because servers such as Redis change their command line. */
function findMainProcess(name: string, root: number): number {
  const found = processTree(root).find((pid) => !isStarter(readlinkSync(`/proc/${pid}/exe`)));
  if (found === undefined) throw new Error(`${name} does not run`);
  return found;
}

/** Whether a program only leads to the command that runs in a container. */
export function isStarter(program: string): boolean {
  return STARTER.test(program);
}

function uidOf(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** Writes each value to a file that the process in a container may read, and returns the variables that name the files. */
export function writeSecrets(
  folder: string,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  mkdirSync(folder, { recursive: true });
  for (const [name, value] of Object.entries(values))
    writeFileSync(join(folder, name), value, { mode: 0o444 });
  return Object.fromEntries(Object.keys(values).map((name) => [`${name}_FILE`, `/run/secrets/${name}`]));
}
