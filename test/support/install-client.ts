import { repositoryFolder } from '@paywatch/dev/stack';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CLIENT = join(repositoryFolder, 'packages/client');

/**
 * Installs the client from its published tarball into a new folder, as merchants do, and compiles programs (name and TypeScript) there
 * in strict mode.
 */
export function installClient(folder: string, programs: Readonly<Record<string, string>>): void {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run('npm', ['run', 'build'], CLIENT);
  const tarball = run('npm', ['pack', '--silent', join(CLIENT, 'dist')], folder).trim();
  run('npm', ['install', '--no-save', '--offline', '--no-audit', '--no-fund', `./${tarball}`], folder);
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, `${name}.ts`), text);
  const types = ['--types', 'node', '--typeRoots', join(repositoryFolder, 'node_modules/@types')];
  const files = Object.keys(programs).map((name) => `${name}.ts`);
  const tsc = join(repositoryFolder, 'node_modules/.bin/tsc');
  run(tsc, ['--strict', '--module', 'node20', '--skipLibCheck', ...types, ...files], folder);
}

function run(program: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
