import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../src/contract');

test('the contract imports nothing but zod and its own files, so that browsers can load it', () => {
  const files = globSync('**/*.ts', { cwd: folder });
  expect(files.length).toBeGreaterThan(20);
  const foreign = files.flatMap((file) =>
    importsOf(file).filter((specifier) => specifier !== 'zod' && !staysInside(file, specifier)),
  );
  // The generator is in the one file that contract/index.ts does not export.
  expect(foreign).toEqual(['@asteasolutions/zod-to-openapi']);
  expect(importsOf('index.ts')).not.toContain('./openapi.ts');
});

function importsOf(file: string): string[] {
  const source = readFileSync(join(folder, file), 'utf8');
  return [...source.matchAll(/\bfrom '([^']+)'/g)].map(([, specifier]) => specifier ?? '');
}

function staysInside(file: string, specifier: string): boolean {
  return specifier.startsWith('.') && join(folder, file, '..', specifier).startsWith(`${folder}/`);
}
