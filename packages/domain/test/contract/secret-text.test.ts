import { describe, expect, test } from 'vitest';
import { parseExtendedKey } from '../../src/keys/extended-key.ts';
import { findSecret, PRIVATE_KEY_PREFIXES } from '../../src/contract/fields/secret-text.ts';

/** The master key of BIP 32's first test vector; known to everybody. */
const XPRV =
  'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi';
const WIF = 'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn';
const WORDS = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
const HEX = '0123456789abcdef'.repeat(4);

const PRIVATE_KEYS: [string, string][] = [
  ...PRIVATE_KEY_PREFIXES.map((prefix): [string, string] => [
    `an extended key ${prefix}`,
    prefix + XPRV.slice(4),
  ]),
  ['one in capitals', XPRV.toUpperCase()],
  ['one that was cut off', XPRV.slice(0, 60)],
  ['one with a line break in it', `${XPRV.slice(0, 2)}\n${XPRV.slice(2)}`],
  ['one with invisible characters in it', `x\u200bp\u2060rv${XPRV.slice(4)}`],
  ['one in full-width letters', `ｘｐｒｖ${XPRV.slice(4)}`],
  ['one in a sentence', `my key: ${XPRV} thanks`],
  ['a descriptor', `wpkh([d34db33f/84h/0h/0h]${XPRV}/0/*)#cjjspncu`],
  ['a descriptor of a WIF key', `pkh(${WIF})`],
  ['miniscript', `wsh(and_v(v:pk(${XPRV}/0/*),older(144)))`],
  ['WIF, compressed', WIF],
  ['WIF, uncompressed', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
  ['WIF of Litecoin', `T${WIF.slice(1)}`],
  ['WIF of a test network', `c${WIF.slice(1)}`],
  ['WIF in two lines', `${WIF.slice(0, 26)}\r\n${WIF.slice(26)}`],
  ['BIP 38', '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg'],
  ['a mini key', 'S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy'],
  ['64 hex digits', HEX],
  ['64 hex digits with 0x', `0x${HEX}`],
  ['64 hex digits in groups', HEX.replaceAll(/(.{8})/g, '$1 ')],
  ['128 hex digits', HEX.repeat(2)],
  ['64 hex digits in a sentence', `key=${HEX};`],
  ['codex32', 'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw'],
];

const SEED_PHRASES: [string, string][] = [
  ['12 words', WORDS],
  ['24 words', `${WORDS} ${WORDS}`],
  ['15 words', `${WORDS} zoo zoo zoo`],
  ['12 words in capitals, one to a line', WORDS.toUpperCase().replaceAll(' ', '\n')],
  ['12 words with two mistyped', WORDS.replace('about', 'abuot').replace('abandon', 'abadnon')],
  ['11 of 12 words', WORDS.replace(' about', '')],
  [
    'numbered words',
    WORDS.split(' ')
      .map((word, i) => `${i + 1}. ${word}`)
      .join('\n'),
  ],
  ['words and commas', WORDS.replaceAll(' ', ', ')],
  ['words and hyphens', WORDS.replaceAll(' ', '-')],
  ['words in quotes', JSON.stringify(WORDS.split(' '))],
  ['words with a label', `seed: ${WORDS}`],
  ['a Chinese phrase without spaces', '的的的的的的的的的的的在'],
  ['a Japanese phrase', Array.from({ length: 12 }, () => 'あいこくしん').join('\u3000')],
];

describe.each([
  ['private_key', PRIVATE_KEYS],
  ['seed_phrase', SEED_PHRASES],
] as const)('a %s', (kind, cases) => {
  test.each(cases)('is recognized and refused without being echoed: %s', (_name, text) => {
    expect(findSecret(text)).toBe(kind);
    const parsed = parseExtendedKey(text, 'BTC', 'mainnet');
    expect(parsed).toMatchObject({ ok: false, problem: { code: kind } });
    expect(JSON.stringify(parsed)).not.toContain(text.slice(0, 12));
  });
});

test.each([
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  'wpkh([d34db33f/84h/0h/0h]xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8/0/*)',
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  '1BoatSLRHtKNngkdXEeobR76b53LETtpyT',
  "m/84'/0'/0'",
  'my extended public key',
  '',
])('ordinary text is not taken for a secret: %s', (text) => {
  expect(findSecret(text)).toBeNull();
});
