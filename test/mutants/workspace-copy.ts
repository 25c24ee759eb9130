import { repositoryFolder } from '@paywatch/dev/stack';
import { temporaryFolder } from '@paywatch/dev/testing';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A copy of the repository for mutations. */
export type WorkspaceCopy = {
  folder: string;
  read(file: string): string;
  write(file: string, text: string): void;
};

/** Copies all files of this checkout that git tracks, with uncommitted changes. Installed packages are linked. */
export function copyWorkspace(): WorkspaceCopy {
  const folder = temporaryFolder('mutants');
  for (const file of checkedInFiles()) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(repositoryFolder, file), join(folder, file), { verbatimSymlinks: true });
  }
  for (const workspace of workspacesWithPackages()) linkPackages(workspace, folder);
  return {
    folder,
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
  };
}

function checkedInFiles(): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const output = execFileSync('git', list, { cwd: repositoryFolder, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return output.split('\n').filter((file) => file !== '' && existsSync(join(repositoryFolder, file)));
}

function workspacesWithPackages(): string[] {
  const parents = ['packages', 'services', 'infra'];
  const below = parents.flatMap((parent) =>
    readdirSync(join(repositoryFolder, parent)).map((name) => `${parent}/${name}`),
  );
  const all = ['.', 'test', 'loadtests', ...below];
  return all.filter((workspace) => existsSync(join(repositoryFolder, workspace, 'node_modules')));
}

/** Links our own packages to the copy. node_modules itself is a real folder, so that caches stay in the copy. */
function linkPackages(workspace: string, folder: string): void {
  const from = join(repositoryFolder, workspace, 'node_modules');
  const to = join(folder, workspace, 'node_modules');
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (name === '@paywatch')
      cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith('.vite')) symlinkSync(join(from, name), join(to, name));
  }
}
