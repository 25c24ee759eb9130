import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactText, exactVisibleText, httpsUrl, shownText } from '../../src/contract/fields/text.ts';
import { countCharacters, isFullyVisible, plainText } from '../../src/contract/fields/visible-text.ts';

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
    ['keeps a skin tone and a profession', '👨🏽‍🚀', '👨🏽‍🚀'],
    ['keeps a heart in colour and a keycap', '❤️ 1️⃣', '❤️ 1️⃣'],
    ['keeps the joiners that Persian and Hindi need', 'نامه‌ای क्‍ष', 'نامه‌ای क्‍ष'],
    ['keeps a letter with three marks', 'x\u0323\u0302\u0301', 'x\u0323\u0302\u0301'],
    ['keeps three of 198 stacked marks', `x${'\u0315'.repeat(198)}`, 'x\u0315\u0315\u0315'],
    [
      'counts marks with a joiner between them in one row',
      'x\u0315\u0315\u200d\u0315\u0315',
      'x\u0315\u0315\u0315',
    ],
    ['removes a joiner that joins nothing', 'a\u200db\u200cc', 'abc'],
    ['removes a selector that selects nothing', '\ufe0fa\ufe0f\ufe0f', 'a\ufe0f'],
    ['removes marks that set the direction', 'a\u200e\u200f\u061cb', 'ab'],
    ['removes tag characters', `a${String.fromCodePoint(0xe0041, 0xe0042, 0xe007f)}`, 'a'],
    ['removes private use and non-characters', 'a\ue000\u{f0000}\ufdd0\uffffb', 'ab'],
    ['keeps right-to-left text', 'שלום', 'שלום'],
    ['puts letters and accents together', 'e\u0301', '\u00e9'],
    ['is empty where nothing can be seen', '\u200b\u200d \u2060', ''],
    ['keeps markup as the text that it is', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ])('%s', (_title, input, expected) => {
    expect(plainText(input)).toBe(expected);
  });

  test('removes control characters, lone surrogates and reordering marks, and is idempotent', () => {
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

const INVISIBLE = {
  'a Hangul filler': '\u3164',
  'a halfwidth Hangul filler': '\uffa0',
  'the Hangul fillers of jamo': '\u115f\u1160',
  'a braille blank': '\u2800',
  'tag characters': String.fromCodePoint(0xe0001, 0xe0041, 0xe007f),
  'directional marks': '\u200e\u200f\u061c',
  'directional embeddings, overrides and isolates': '\u202a\u202d\u202e\u202c\u2066\u2069',
  'zero widths': '\u200b\u2060\ufeff',
  joiners: '\u200c\u200d',
  'variation selectors': '\ufe0f\ufe00',
  'a soft hyphen': '\u00ad',
  'a Mongolian vowel separator': '\u180e',
  'a combining grapheme joiner': '\u034f',
  'Khmer inherent vowels': '\u17b4\u17b5',
  'a null notehead': '\u{1d159}',
  'an object replacement': '\ufffc',
  'marks without a letter': '\u0301'.repeat(198),
  'spaces of every kind': ' \u00a0\u1680\u2003\u202f\u205f\u3000',
};

describe.each(Object.entries(INVISIBLE))('%s', (_name, hidden) => {
  test('is not visible text by itself', () => {
    expect(plainText(hidden)).toBe('');
    expect(isFullyVisible(hidden)).toBe(false);
    expect(shownText({ minLength: 1, maxLength: 300 }).safeParse(hidden).success).toBe(false);
    expect(exactVisibleText({ maxLength: 300 }).safeParse(hidden).success).toBe(false);
  });
});

test('the result of plainText is fully visible or empty, and is idempotent', () => {
  fc.assert(
    fc.property(nastyText(), (text) => {
      const cleaned = plainText(text);
      expect(cleaned === '' || isFullyVisible(cleaned)).toBe(true);
      expect(plainText(cleaned)).toBe(cleaned);
      expect(cleaned).not.toMatch(/\p{M}{4}/u);
    }),
    { numRuns: 5000 },
  );
});

/** Few characters in every order: what meets there is what rules forget. */
function nastyText() {
  const parts = [
    'a',
    'é',
    '\u0958',
    'क',
    'ن',
    '👩',
    '\u{1f3fd}',
    '\u{1f3f4}',
    '1',
    ' ',
    '\n',
    '\ud83d',
    '\ude00',
  ];
  const unit = fc.constantFrom(
    ...parts,
    ...Object.values(INVISIBLE).flatMap((text) => Array.from(text)),
    '\u20e3',
    '\u0323',
    '\u094d',
  );
  return fc.array(unit, { maxLength: 14 }).map((found) => found.join(''));
}

describe('exactVisibleText', () => {
  const schema = exactVisibleText({ maxLength: 20 });
  test.each(['order-1001', ' a ', 'Größe 42', '👩‍👩‍👧', 'e\u0301'])('keeps %j as it is', (text) => {
    expect(schema.parse(text)).toBe(text);
  });
  test.each(['a\u200bb', 'a\u202eb', 'a\u3164', 'a\u200d', '\u2028a', 'x\u0315\u0315\u0315\u0315'])(
    'refuses %j',
    (text) => {
      expect(schema.safeParse(text).success).toBe(false);
    },
  );
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
