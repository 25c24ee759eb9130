import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicId, publicId } from '../../src/values/base58-id.ts';

const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

test('every 16 bytes make an identifier, and no two the same one', () => {
  fc.assert(
    fc.property(sixteenBytes, sixteenBytes, (one, other) => {
      expect(isPublicId('inv_', publicId('inv_', one))).toBe(true);
      expect(publicId('inv_', one) === publicId('inv_', other)).toBe(Buffer.from(one).equals(other));
    }),
  );
});

test('an identifier is 128 bits and nothing else', () => {
  expect(publicId('evt_', new Uint8Array(16).fill(255))).toBe('evt_YcVfxkQb6JRzqk5kF2tNLv');
  expect(() => publicId('evt_', new Uint8Array(15))).toThrow(RangeError);
});

test.each([
  'inv_',
  'inv_0OIl0OIl0OIl0OIl',
  'evt_YcVfxkQb6JRzqk5kF2tNLv',
  'inv_YcVfxkQb6JRzqk5kF2tNLv1',
  'inv_../..',
])('%j is no identifier of an invoice', (text) => {
  expect(isPublicId('inv_', text)).toBe(false);
});
