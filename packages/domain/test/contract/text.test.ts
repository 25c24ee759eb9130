import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countCharacters, exactText, httpsUrl, plainText } from '../../src/contract/text.ts';

describe('plainText', () => {
  test.each([
    ['keeps ordinary text', 'Great stream!', 'Great stream!'],
    ['trims', '  hi \u00a0', 'hi'],
    ['turns line breaks and tabs into one space', 'a\r\n\tb\u2028c', 'a b c'],
    ['removes NUL and other control characters', 'a\u0000b\u0007c\u009fd', 'abcd'],
    ['removes bidirectional overrides and isolates', '\u202eevil\u202c \u2066x\u2069', 'evil x'],
    ['removes lone surrogates', 'a\ud83d b\udc00', 'a b'],
    ['does not join two lone surrogates into a character', '\ud83d\u200b\ude00x', 'x'],
    ['keeps emoji made of several characters', '👩‍👩‍👧 🏳️‍🌈', '👩‍👩‍👧 🏳️‍🌈'],
    ['keeps right-to-left text', 'שלום', 'שלום'],
    ['puts letters and accents together', 'e\u0301', '\u00e9'],
    ['is empty where nothing can be seen', '\u200b\u200d \u2060', ''],
    ['keeps markup as the text that it is', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('%s', (_title, input, expected) => {
    expect(plainText(input)).toBe(expected);
  });

  test('never leaves a control character, a lone surrogate or a reordering mark, and is done after once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), hostileText(), (text, hostile) => {
        const cleaned = plainText(text + hostile);
        expect(cleaned).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(cleaned.isWellFormed()).toBe(true);
        expect(plainText(cleaned)).toBe(cleaned);
      }),
    );
  });
});

function hostileText() {
  return fc
    .array(fc.constantFrom('\u0000', '\ud800', '\udfff', '\u202e', '\u2028', '\u200b', 'e', '\u0301'))
    .map((parts) => parts.join(''));
}

test('length is counted in Unicode code points', () => {
  expect(countCharacters('👋👋')).toBe(2);
});

describe('exactText', () => {
  const schema = exactText({ maxLength: 3 });
  test.each(['a', 'abc', '👋👋👋', ' a '])('keeps %j as it is', (text) => {
    expect(schema.parse(text)).toBe(text);
  });
  test.each(['', 'abcd', '👋👋👋👋', 'a\u0000', 'a\n', '\ud800', 'a\u0085'])('refuses %j', (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});

describe('httpsUrl', () => {
  const schema = httpsUrl({ maxLength: 60 });
  test.each([
    'https://shop.example',
    'https://shop.example:8443/a?b=c#d',
    'HTTPS://shop.example/',
    'https://bücher.example/ü',
    'https://shop.example/a@b',
    'https://[2606:4700::1111]/',
  ])('takes %s', (url) => {
    expect(schema.parse(url)).toBe(url);
  });
  test.each([
    'http://shop.example/',
    'https:shop.example',
    'https:/shop.example',
    'https:\\\\shop.example',
    'https://shop.example\\@evil.example',
    '//shop.example/',
    '/thanks',
    'javascript:alert(1)',
    'https://',
    'https:///x',
    'https://?x',
    'https://user@shop.example/',
    'https://user:pass@shop.example/',
    'https://:pass@shop.example/',
    ' https://shop.example/',
    'https://shop.example/a b',
    'https://shop.example/\n',
    'https://shop.example/\u0000',
    'https://[::1/',
    'https://shop.example:99999/',
    `https://shop.example/${'x'.repeat(60)}`,
  ])('refuses %j', (url) => {
    expect(schema.safeParse(url).success).toBe(false);
  });
});
