import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer, parseSealingKeys, SealingError } from '../src/sealing.ts';

const entry = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

test('what is sealed opens again, with older keys too, and never twice alike', () => {
  const [old, recent] = [entry('a'), entry('b')];
  const before = createSealer(parseSealingKeys(old));
  const after = createSealer(parseSealingKeys(`${recent},${old}`));
  const sealed = before.seal('whsec_é');
  expect(after.open(sealed)).toBe('whsec_é');
  expect(after.isCurrent(sealed)).toBe(false);
  expect(after.isCurrent(after.seal('x'))).toBe(true);
  expect(before.seal('x')).not.toEqual(before.seal('x'));
});

test('a changed byte or a missing key is an error', () => {
  const sealer = createSealer(parseSealingKeys(entry('a')));
  const sealed = sealer.seal('secret');
  sealed[sealed.length - 1]! ^= 1;
  expect(() => sealer.open(sealed)).toThrow(SealingError);
  expect(() => sealer.open(createSealer(parseSealingKeys(entry('other'))).seal('x'))).toThrow(
    /no encryption key/,
  );
  expect(() => sealer.open(new Uint8Array())).toThrow(SealingError);
});

test.each(['', 'a', 'a:short', `a b:${'A'.repeat(43)}=`])(
  'the key list %j is refused without echoing it',
  (text) => {
    expect(() => parseSealingKeys(text)).toThrow(/entry 1/);
  },
);

test('two keys with one id are refused', () => {
  expect(() => parseSealingKeys(`${entry('a')},${entry('a')}`)).toThrow(/one id/);
});
