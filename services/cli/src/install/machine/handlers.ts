import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Step } from '../plan/step.ts';
import { isDatabaseDone, isRoleDone, makeDatabase, makeRole } from './database.ts';
import { hasModeAndOwner, isFileDone, setModeAndOwner, writeFile } from './files.ts';
import type { Machine } from './machine.ts';

/** How a step is checked and made true. */
type Handler = { isDone: () => boolean; make: () => void };

type Handlers = {
  [Kind in Step['kind']]: (step: Extract<Step, { kind: Kind }>, machine: Machine) => Handler;
};

const HANDLERS: Handlers = {
  packages,
  user,
  folder,
  line,
  link,
  unit,
  file: (step, machine) => ({
    isDone: () => isFileDone(step, machine),
    make: () => writeFile(step, machine),
  }),
  role: (step, machine) => ({ isDone: () => isRoleDone(step, machine), make: () => makeRole(step, machine) }),
  database: (step, machine) => ({
    isDone: () => isDatabaseDone(step.name, machine),
    make: () => makeDatabase(step, machine),
  }),
};

/** The handler of a step. `isDone` changes nothing, and is false for what cannot be checked yet. */
export function handlerOf(step: Step, machine: Machine): Handler {
  const create = HANDLERS[step.kind] as (step: Step, machine: Machine) => Handler;
  return create(step, machine);
}

function packages({ names }: Extract<Step, { kind: 'packages' }>, machine: Machine): Handler {
  const isInstalled = (name: string) =>
    machine.ask('dpkg-query', ['-W', '-f', '${db:Status-Status}', name]).stdout === 'installed';
  return {
    isDone: () => names.every(isInstalled),
    make: () => {
      machine.run('apt-get', ['update', '-q']);
      machine.run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names]);
    },
  };
}

function user({ name }: Extract<Step, { kind: 'user' }>, machine: Machine): Handler {
  const args = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ];
  return {
    isDone: () => machine.ask('getent', ['passwd', name]).isSuccess,
    make: () => void machine.run('useradd', [...args, name]),
  };
}

function folder(step: Extract<Step, { kind: 'folder' }>, machine: Machine): Handler {
  return {
    isDone: () => existsSync(step.path) && hasModeAndOwner(step, machine),
    make: () => {
      mkdirSync(step.path, { recursive: true });
      setModeAndOwner(step, machine);
    },
  };
}

function line({ path, line: wanted }: Extract<Step, { kind: 'line' }>): Handler {
  const lines = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []);
  return {
    isDone: () => lines().includes(wanted),
    make: () => {
      const isOpenEnded = lines().at(-1) !== undefined && lines().at(-1) !== '';
      appendFileSync(path, `${isOpenEnded ? '\n' : ''}${wanted}\n`);
    },
  };
}

function link({ path, target }: Extract<Step, { kind: 'link' }>): Handler {
  return { isDone: () => linkTarget(path) === target, make: () => replaceLink(path, target) };
}

function linkTarget(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
    ? readlinkSync(path)
    : undefined;
}

/** Replaces a link in one step: whoever starts a program meanwhile finds the old target or the new one. */
export function replaceLink(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(`${path}.new`, { force: true });
  symlinkSync(target, `${path}.new`);
  renameSync(`${path}.new`, path);
}

function unit({ name }: Extract<Step, { kind: 'unit' }>, machine: Machine): Handler {
  const is = (state: string) => machine.ask('systemctl', [`is-${state}`, '--quiet', name]).isSuccess;
  return {
    isDone: () => is('enabled') && is('active'),
    make: () => {
      machine.run('systemctl', ['daemon-reload']);
      machine.run('systemctl', ['enable', '--quiet', name]);
      // `restart`, because Debian starts a server as soon as it is installed, before our settings are there.
      machine.run('systemctl', ['restart', name]);
    },
  };
}
