import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isBuiltFrom, markBuilt, type PagesBuild } from '../../src/stack/pages-build.ts';

let folder: string;
let build: PagesBuild;
const file = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pages-build-'));
  writeFileSync(file('source.ts'), 'one');
  writeFileSync(file('output.js'), 'one');
  build = { sources: [file('source.ts')], output: file('output.js'), mark: file('mark') };
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a build is current until the content of a source or of the output changes', () => {
  expect(isBuiltFrom(build)).toBe(false);
  markBuilt(build);
  expect(isBuiltFrom(build)).toBe(true);
  // Only the modification time changes.
  writeFileSync(file('source.ts'), 'one');
  expect(isBuiltFrom(build)).toBe(true);
  writeFileSync(file('source.ts'), 'two');
  expect(isBuiltFrom(build)).toBe(false);
  markBuilt(build);
  writeFileSync(file('output.js'), 'another');
  expect(isBuiltFrom(build)).toBe(false);
  rmSync(file('output.js'));
  expect(isBuiltFrom(build)).toBe(false);
});
