import { expect, test } from 'vitest';
import { randomBase58 } from '../src/security/random.ts';
import { equalSecrets, sha256 } from '../src/security/secret-hash.ts';

test('random ids are base58 and do not repeat', () => {
  const ids = Array.from({ length: 1000 }, () => randomBase58(16));
  expect(new Set(ids).size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{1,22}$/);
});

test('equalSecrets distinguishes secrets by length and content', () => {
  expect(equalSecrets(sha256('a'), sha256('a'))).toBe(true);
  expect(equalSecrets(sha256('a'), sha256('b'))).toBe(false);
  expect(equalSecrets(sha256('a'), new Uint8Array(3))).toBe(false);
});
