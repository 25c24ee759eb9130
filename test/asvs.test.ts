import { repositoryFolder } from '@paywatch/dev/stack';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync(join(repositoryFolder, 'docs/security/asvs.md'), 'utf8');

/** The number of requirements of levels 1 and 2 in each section of the standard. */
const REQUIRED =
  '6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4';
const REQUIREMENTS = REQUIRED.split(' ').flatMap((entry) => {
  const [section, count] = entry.split(':');
  return Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`);
});

const rows = page.split('\n').flatMap((line) => {
  const [, id = '', level = '', , state = '', why = ''] = line.split('|').map((cell) => cell.trim());
  return /^\d+\.\d+\.\d+$/.test(id) ? [{ id, level, state, why }] : [];
});

/** Every `file`: "title" of a text. */
const namedTests = (text: string) =>
  [...text.matchAll(/`([^`]+\.test\.ts)`: "([^"]+)"/g)].map(([, file = '', title = '']) => ({ file, title }));

/** Whether a file of tests has a test or a group with this title. */
function hasTitle(file: string, title: string): boolean {
  const path = join(repositoryFolder, file);
  const quoted = ["'", '"', '`'].map((quote) => `${quote}${title}${quote}`);
  const starts = existsSync(path) ? readFileSync(path, 'utf8').split(/\(\s*(?=['"`])/) : [];
  return starts.some((rest) => quoted.some((text) => rest.startsWith(`${text},`)));
}

test('docs/security/asvs.md has one row for each requirement, with a state and a test or a reason', () => {
  expect(rows.map(({ id }) => id)).toEqual(REQUIREMENTS);
  for (const { id, level, state, why } of rows) {
    expect(['1', '2'], id).toContain(level);
    expect(['Held', 'Partly', 'Not held', 'Does not apply'], id).toContain(state);
    expect(why, id).not.toBe('');
  }
});

test('its first paragraph counts the states as its rows do', () => {
  const count = (wanted: string) => rows.filter(({ state }) => state === wanted).length;
  expect(page).toContain(
    `${rows.length} requirements: ${count('Held')} held, ${count('Partly')} partly, ${count('Not held')} not held, ${count('Does not apply')} do not apply`,
  );
});

test.each(namedTests(page))('the page names a test that exists: $file: $title', ({ file, title }) => {
  expect(hasTitle(file, title)).toBe(true);
});

test('a title that no test has is found', () => {
  expect(namedTests(page).length).toBeGreaterThan(50);
  expect(hasTitle('test/asvs.test.ts', 'a title that no test has is found')).toBe(true);
  expect(hasTitle('test/asvs.test.ts', 'a title that no test')).toBe(false);
  expect(hasTitle('test/none.test.ts', 'a title that no test has is found')).toBe(false);
});
