import { HDKey } from '@scure/bip32';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CHAINS, type Currency, type Network } from '../../src/chain/chains.ts';
import { PRIVATE_KEY_PREFIXES } from '../../src/contract/fields/secret-text.ts';
import { parseExtendedKey } from '../../src/keys/extended-key.ts';
import { childrenOf } from '../../src/keys/receive-address.ts';
import { accepted, refusalOf } from '../values/expect-checked.ts';
import { readJson } from '../support/read-json.ts';
import { costRatio } from '../support/cost-ratio.ts';

const bip32 = z
  .object({
    publicDerivations: z.array(z.object({ parent: z.string(), index: z.int(), child: z.string() })),
    invalid: z.array(z.tuple([z.string(), z.string(), z.string()])),
  })
  .parse(readJson('../vectors/bip32.json'));

const account = HDKey.fromMasterSeed(Buffer.alloc(32, 7)).derive("m/84'/0'/0'");
const { publicKey, chainCode } = account;
if (publicKey === null || chainCode === null) throw new Error('an account has a public key');
const xpub = account.publicExtendedKey;

/** The account's key as a wallet with these version bytes shows it. */
function written(version: number): string {
  const { depth, parentFingerprint, index } = account;
  const versions = { private: 0, public: version };
  return new HDKey({
    versions,
    depth,
    parentFingerprint,
    index,
    chainCode: chainCode!,
    publicKey: publicKey!,
  }).publicExtendedKey;
}

/** The same key at another depth. */
function deep(depth: number): string {
  return new HDKey({ depth, chainCode: chainCode!, publicKey: publicKey! }).publicExtendedKey;
}

describe('BIP 32', () => {
  test.each(bip32.publicDerivations)('public derivation of child $index', ({ parent, index, child }) => {
    const [derived] = childrenOf(
      HDKey.fromExtendedKey(accepted(parseExtendedKey(parent, 'BTC', 'mainnet')).key.xpub),
      index,
      1,
    );
    const expected = accepted(parseExtendedKey(child, 'BTC', 'mainnet')).key;
    expect(Buffer.from(derived!.publicKey).toString('hex')).toBe(
      Buffer.from(expected.publicKey).toString('hex'),
    );
    expect(expected.childNumber).toBe(index);
  });

  test.each(bip32.invalid)('%s is refused as %s', (_title, code, key) => {
    expect(refusalOf(parseExtendedKey(key, 'BTC', 'mainnet'))).toBe(code);
  });
});

describe('an extended public key', () => {
  test.each(['BTC', 'LTC'] as const)('of %s has one canonical form for every accepted prefix', (currency) => {
    for (const { prefix, version } of CHAINS[currency].networks.regtest.extendedKeyPrefixes) {
      const text = written(version);
      expect(text.slice(0, 4)).toBe(prefix);
      const parsed = accepted(parseExtendedKey(` ${text}\n`, currency, 'regtest'));
      expect(parsed.prefix.prefix).toBe(prefix);
      expect(parsed.key).toEqual({
        depth: 3,
        parentFingerprint: account.parentFingerprint,
        childNumber: 0x80000000,
        chainCode,
        publicKey,
        xpub,
      });
    }
  });

  test.each<[string, number, Currency, Network, string]>([
    ['Ltub', 0x019da462, 'BTC', 'mainnet', 'key_of_other_currency'],
    ['Mtub', 0x01b26ef6, 'BTC', 'regtest', 'key_of_other_currency'],
    ['tpub', 0x043587cf, 'BTC', 'mainnet', 'key_of_other_network'],
    ['vpub', 0x045f1cf6, 'LTC', 'mainnet', 'key_of_other_network'],
    ['Zpub', 0x02aa7ed3, 'BTC', 'mainnet', 'multisig_key'],
  ])('with prefix %s (%d) is refused for %s %s', (_prefix, version, currency, network, code) => {
    expect(refusalOf(parseExtendedKey(written(version), currency, network))).toBe(code);
  });

  test('with one character changed, missing or added is refused', () => {
    fc.assert(
      fc.property(fc.nat(xpub.length - 5), fc.constantFrom('', 'A', 'zz'), (position, insert) => {
        const at = position + 4;
        const changed = xpub.slice(0, at) + insert + xpub.slice(at + 1);
        fc.pre(changed !== xpub);
        expect(refusalOf(parseExtendedKey(changed, 'BTC', 'mainnet'))).toBe('key_checksum_mismatch');
      }),
    );
  });

  test.each([
    '',
    'hello',
    'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
    `[d34db33f/84h/0h/0h]${xpub}/0/*`,
    `wpkh(${xpub}/0/*)`,
  ])('is asked for by name when %j is pasted', (text) => {
    const refused = parseExtendedKey(text, 'BTC', 'mainnet');
    expect(refusalOf(refused)).toBe('unknown_key_format');
    expect(refused).toMatchObject({ problem: { message: expect.stringContaining('xpub, ypub, zpub') } });
  });

  test('as deep as its receive addresses could not be written any more is refused', () => {
    expect(refusalOf(parseExtendedKey(deep(254), 'BTC', 'mainnet'))).toBe('invalid_key');
    expect(accepted(parseExtendedKey(deep(253), 'BTC', 'mainnet')).key.depth).toBe(253);
  });

  test('of a length that nobody types costs no time', () => {
    expect(costRatio(refuseLong(60_000), refuseLong(107))).toBeLessThan(20);
  });
});

describe('a secret that is pasted instead', () => {
  const xprv = account.privateExtendedKey;
  const secrets: [string, string, string][] = [
    ['an xprv', xprv, 'private_key'],
    ['an xprv cut off', xprv.slice(0, 30), 'private_key'],
    ['an xprv in capitals', xprv.toUpperCase(), 'private_key'],
    ['an xprv in a descriptor', `wpkh([d34db33f/84h/0h/0h]${xprv}/0/*)`, 'private_key'],
    ...PRIVATE_KEY_PREFIXES.map((prefix): [string, string, string] => [
      `a ${prefix}`,
      prefix + xprv.slice(4),
      'private_key',
    ]),
    ['a private key of Bitcoin', 'L1aW4aubDFB7yfras2S1mN3bqg9nwySY8nkoLmJebSLD5BWv3ENZ', 'private_key'],
    ['an uncompressed private key', '5Hwgr3u458GLafKBgxtssHSPqJnYoGrSzgQsPwLFhLNYskDPyyA', 'private_key'],
    ['a private key of Litecoin', 'T5b4RiWRs7XG8xZ2bCHBoJcn4JrpMTbGRFYXgoZHd7nD8izwqhMK', 'private_key'],
    [
      'a private key of a test network',
      'cULrpoZGXiuC19Uhvykx7NugygA3k86b3hmdCeyvHYQZSxojGyXJ',
      'private_key',
    ],
    [
      'a private key with a password',
      '6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg',
      'private_key',
    ],
    [
      'a private key in hex',
      'c9bdb49cfbaedca21c4b1f3a7803c34636b1d7dc55a717132443fc3f4c5867e8',
      'private_key',
    ],
    ['a seed phrase', `${'abandon '.repeat(11)}about`, 'seed_phrase'],
    [
      'a seed phrase on lines of its own',
      'legal winner thank year wave sausage worth useful legal winner thank yellow'.replaceAll(' ', '\r\n'),
      'seed_phrase',
    ],
    [
      'a numbered seed phrase',
      'zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong'
        .split(' ')
        .map((word, i) => `${i + 1}. ${word}`)
        .join(', '),
      'seed_phrase',
    ],
    ['a seed phrase in Japanese', 'あいこくしん\u3000'.repeat(11) + 'あおぞら', 'seed_phrase'],
  ];

  test.each(secrets)('%s is refused as such', (_title, secret, code) => {
    for (const currency of ['BTC', 'LTC'] as const) {
      expect(refusalOf(parseExtendedKey(secret, currency, 'mainnet'))).toBe(code);
    }
  });

  test.each(secrets)('%s is not echoed', (_title, secret) => {
    const answer = JSON.stringify(parseExtendedKey(secret, 'BTC', 'mainnet'));
    const words = secret.split(/[\s,()/]+/).filter((word) => word.length > 6);
    expect(words.filter((word) => answer.includes(word))).toEqual([]);
  });

  test('no answer ever holds six characters in a row of what was pasted', () => {
    fc.assert(
      fc.property(fc.nat(xpub.length), fc.string({ minLength: 1, maxLength: 3 }), (at, insert) => {
        const text = xpub.slice(0, at) + insert + xpub.slice(at);
        const checked = parseExtendedKey(text, 'BTC', 'mainnet');
        if (checked.ok) return;
        const tail = text.slice(4);
        for (let i = 0; i + 6 <= tail.length; i += 1) {
          expect(checked.problem.message).not.toContain(tail.slice(i, i + 6));
        }
      }),
      { numRuns: 50 },
    );
  });
});

function refuseLong(length: number): () => void {
  return () =>
    expect(refusalOf(parseExtendedKey(`xpub${'z'.repeat(length)}`, 'BTC', 'mainnet'))).toBe(
      'key_checksum_mismatch',
    );
}
