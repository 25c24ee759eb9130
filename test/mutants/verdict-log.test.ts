import { temporaryFolder } from '@paywatch/dev/testing';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOf, openVerdictLog } from './verdict-log.ts';

const key = { file: 'rules.ts', name: 'isPaid: < → <=', digest: 'aa' };

test('a resumed run knows the results of an interrupted one, but not those of changed files and tests', () => {
  const path = join(temporaryFolder('verdicts'), 'mutants.jsonl');
  openVerdictLog(path, false).add(key, false);
  appendFileSync(path, '{"file":"rules.ts","na');
  const resumed = openVerdictLog(path, true);
  expect(resumed.find(key)).toBe(false);
  expect(resumed.find({ ...key, digest: 'bb' })).toBeUndefined();
  expect(resumed.find({ ...key, name: 'isPaid: 0 → 1' })).toBeUndefined();
  resumed.add({ ...key, name: 'isPaid: 0 → 1' }, true);
  expect(openVerdictLog(path, true).find({ ...key, name: 'isPaid: 0 → 1' })).toBe(true);
});

test('a new run starts without results', () => {
  const path = join(temporaryFolder('verdicts'), 'mutants.jsonl');
  openVerdictLog(path, false).add(key, true);
  expect(openVerdictLog(path, false).find(key)).toBeUndefined();
  expect(openVerdictLog(path, true).find(key)).toBeUndefined();
});

test('a digest depends on every text and on their order', () => {
  expect(digestOf(['ab', 'c'])).not.toBe(digestOf(['a', 'bc']));
  expect(digestOf(['a', 'b'])).not.toBe(digestOf(['b', 'a']));
  expect(digestOf(['a', 'b'])).toBe(digestOf(['a', 'b']));
});
