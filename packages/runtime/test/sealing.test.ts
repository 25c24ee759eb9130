import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer, parseSealingKeys, SealingError } from '../src/security/sealing.ts';

const PLACE = { table: 'webhook_endpoints', column: 'secret_sealed', row: '7' };
const SEALED_BEFORE = Buffer.from(
  '036f6c64000102030405060708090a0be3d4b142f3a56a64cf161184379bc3186fe99a157e56bb2c11dd97f9',
  'hex',
);
const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

test('a sealed secret opens with current and older keys, and no two ciphertexts are equal', () => {
  const [old, recent] = [entry('a'), entry('b')];
  const before = createSealer(parseSealingKeys(old));
  const after = createSealer(parseSealingKeys(`${recent},${old}`));
  const sealed = before.seal('whsec_é', PLACE);
  expect(after.open(sealed, PLACE)).toBe('whsec_é');
  expect(after.isCurrent(sealed)).toBe(false);
  expect(after.isCurrent(after.seal('x', PLACE))).toBe(true);
  expect(before.seal('x', PLACE)).not.toEqual(before.seal('x', PLACE));
});

test('a changed byte or a missing key is an error', () => {
  const sealer = createSealer(parseSealingKeys(entry('a')));
  const sealed = sealer.seal('secret', PLACE);
  sealed[sealed.length - 1]! ^= 1;
  expect(() => sealer.open(sealed, PLACE)).toThrow(SealingError);
  expect(() => sealer.open(createSealer(parseSealingKeys(entry('other'))).seal('x', PLACE), PLACE)).toThrow(
    /no encryption key/,
  );
  expect(() => sealer.open(new Uint8Array(), PLACE)).toThrow(SealingError);
});

test.each(['', 'a', 'a:short', `a b:${'A'.repeat(43)}=`])(
  'the key list %j is refused without echoing it',
  (text) => {
    expect(() => parseSealingKeys(text)).toThrow(/entry 1/);
  },
);

test('two keys with one id are refused', () => {
  expect(() => parseSealingKeys(`${entry('a')},${entry('a')}`)).toThrow(/same id/);
});

test.each([
  ['row', { ...PLACE, row: '8' }],
  ['column', { ...PLACE, column: 'other' }],
  ['table', { ...PLACE, table: 'other' }],
  ['row whose name continues the column', { ...PLACE, column: 'secret_sealed,7', row: '' }],
])('a secret does not open in another %s', (_, other) => {
  const sealer = createSealer(parseSealingKeys(entry('a')));
  expect(() => sealer.open(sealer.seal('secret', PLACE), other)).toThrow(SealingError);
});

test('a secret in the old format opens and is not current', () => {
  // SEALED_BEFORE was written by the first release with a key of 32 bytes of 7.
  const text = `old:${Buffer.alloc(32, 7).toString('base64')}`;
  const sealer = createSealer(parseSealingKeys(text));
  expect(sealer.open(SEALED_BEFORE, PLACE)).toBe('whsec_before');
  expect(sealer.isCurrent(SEALED_BEFORE)).toBe(false);
  const bound = sealer.seal(sealer.open(SEALED_BEFORE, PLACE), PLACE);
  expect(sealer.isCurrent(bound)).toBe(true);
  // Removing the BOUND byte does not remove the binding.
  expect(() => sealer.open(bound.subarray(1), PLACE)).toThrow(SealingError);
});

test('no secret in the old format opens after the key is replaced', () => {
  expect(() => createSealer(parseSealingKeys(entry('next'))).open(SEALED_BEFORE, PLACE)).toThrow(
    /no encryption key/,
  );
});
