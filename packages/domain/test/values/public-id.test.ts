import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventIdSchema, publicIdSchema } from '../../src/contract/fields/primitives.ts';
import { publicId } from '../../src/values/public-id.ts';

const sixteenBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });

test('every identifier matches the schema of its kind, and different bytes make different identifiers', () => {
  fc.assert(
    fc.property(sixteenBytes, sixteenBytes, (one, other) => {
      expect(publicIdSchema.safeParse(publicId('inv_', one)).success).toBe(true);
      expect(eventIdSchema.safeParse(publicId('evt_', one)).success).toBe(true);
      expect(publicId('inv_', one) === publicId('inv_', other)).toBe(Buffer.from(one).equals(other));
    }),
  );
});

test('an identifier is the base58 form of exactly 128 bits', () => {
  expect(publicId('evt_', new Uint8Array(16).fill(255))).toBe('evt_YcVfxkQb6JRzqk5kF2tNLv');
  expect(() => publicId('evt_', new Uint8Array(15))).toThrow(RangeError);
});
