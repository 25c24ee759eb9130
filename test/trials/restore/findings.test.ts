import { expect, test } from 'vitest';
import { findingsOf } from './findings.ts';

const REPORT = `ok       Redis: 7.0.15, noeviction
WARNING  Mail: MAIL_URL is not set: owners cannot verify an address
         -> Set MAIL_URL and MAIL_FROM.
skipped  Schema: Postgres does not answer
FAILED   Public URL: pay.example.com: unable to get local issuer certificate

1 of 4 checks failed.`;

test('warnings, failures and skipped checks are findings', () => {
  expect(findingsOf(REPORT).map((line) => line.slice(0, 14))).toEqual([
    'WARNING  Mail:',
    'skipped  Schem',
    'FAILED   Publi',
  ]);
  expect(findingsOf('ok       Redis: 7.0.15, noeviction\n\nAll checks passed.')).toEqual([]);
  expect(() => findingsOf('')).toThrow('checked nothing');
});
