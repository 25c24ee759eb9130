import { repositoryFolder } from '@paywatch/dev';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const compose = read('compose.yaml');
/** Folders and files of ours, and where containers see them. */
const mounts = [...compose.matchAll(/\.\/([\w./-]+):(\/[\w./-]+):ro/g)].map(([, ours = '', theirs = '']) => ({
  ours,
  theirs,
}));

test('every file and folder that compose.yaml names is there', () => {
  const named = [...compose.matchAll(/\binfra\/[\w./-]+/g)].map(([path]) => path);
  const paths = [...mounts.map(({ ours }) => ours), ...named, ...mounts.flatMap(pathsBelow)];
  expect(paths.length).toBeGreaterThan(8);
  expect(paths.filter((path) => !existsSync(join(repositoryFolder, path)))).toEqual([]);
});

test('the load profile tells the k6 scripts all that they ask for', () => {
  const required = [...read('loadtests/k6/shop.ts').matchAll(/required\('(\w+)'\)/g)].map(([, name]) => name);
  expect(required.length).toBeGreaterThan(5);
  const load = compose.slice(compose.indexOf('\n  load:'));
  expect(required.filter((name) => !load.includes(`\n      ${name}: `))).toEqual([]);
});

test('every image but our own has a version, and k6 that of the types by which the scripts are checked', () => {
  const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image = '']) => image);
  expect(images.length).toBeGreaterThan(5);
  const unversioned = images.filter((image) => image !== 'paywatch:latest' && !/:v?\d/.test(image));
  expect(unversioned).toEqual([]);
  const types = /"@types\/k6": "([\d.]+)"/.exec(read('loadtests/package.json'))?.[1];
  expect(images).toContain(`grafana/k6:${types}`);
});

test('no secret that compose.yaml names gets into git, or into the folder that an image is built from', () => {
  const secrets = [...compose.matchAll(/\{ file: \.\/(\w+)\//g)].map(([, folder]) => folder);
  expect(secrets.length).toBeGreaterThan(2);
  for (const folder of secrets) {
    expect(read('.gitignore').split('\n')).toContain(`${folder}/`);
    expect(read('.dockerignore').split('\n')).toContain(folder);
  }
});

/** What containers are told to use below a mount, as paths of ours. A variable stands for its default. */
function pathsBelow({ ours, theirs }: { ours: string; theirs: string }): string[] {
  const used = new RegExp(`(?<![\\w.:])${theirs}/[\\w./-]+`, 'g');
  const withDefaults = compose.replaceAll(/\$\{\w+:-(\w*)\}/g, '$1');
  return [...withDefaults.matchAll(used)].map(([path]) => path.replace(theirs, ours));
}

function read(path: string): string {
  return readFileSync(join(repositoryFolder, path), 'utf8');
}
