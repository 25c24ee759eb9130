import { bech32m, createBase58check } from '@scure/base';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { addressToScript } from '../../src/chain/address.ts';
import { CURRENCIES, type Currency, NETWORKS, type Network } from '../../src/chain/chains.ts';
import { sha256 } from '../../src/chain/hashes.ts';
import { ADDRESS_KINDS, otherAddress, otherScript, type AddressKind } from './other-encoding.ts';
import { accepted, refusalOf } from '../values/expect-checked.ts';
import { readJson } from '../support/read-json.ts';

const segwit = z
  .object({
    valid: z.array(z.tuple([z.enum(NETWORKS), z.string(), z.string()])),
    ofNoStandardType: z.array(z.tuple([z.enum(NETWORKS), z.string()])),
    invalid: z.array(z.tuple([z.enum(NETWORKS), z.string()])),
  })
  .parse(readJson('../vectors/segwit-addresses.json'));

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

test('a hash that is not 20 bytes long belongs to no address, whatever the version byte', () => {
  for (const length of [19, 21]) {
    const text = createBase58check(sha256).encode(new Uint8Array(1 + length));
    expect(refusalOf(addressToScript(text, 'BTC', 'mainnet'))).toBe('unsupported_address');
  }
});

describe('BIP 173 and BIP 350', () => {
  test.each(segwit.valid)('%s %s is read as its script', (network, address, script) => {
    expect(hex(accepted(addressToScript(address, 'BTC', network)))).toBe(script);
  });

  test.each(segwit.ofNoStandardType)(
    '%s %s is refused: no supported wallet uses this script type',
    (network, address) => {
      expect(refusalOf(addressToScript(address, 'BTC', network))).toBe('unsupported_address');
    },
  );

  test.each(segwit.invalid)('%s %s is refused', (network, address) => {
    expect(addressToScript(address, 'BTC', network).ok).toBe(false);
  });
});

const KINDS = Object.keys(ADDRESS_KINDS) as AddressKind[];
/** An address by its kind and hash. */
const anyHash = fc.constantFrom(...KINDS).chain((kind) => {
  const { bytes } = ADDRESS_KINDS[kind];
  return fc.record({ kind: fc.constant(kind), hash: fc.uint8Array({ minLength: bytes, maxLength: bytes }) });
});
const anyCurrency = fc.constantFrom(...CURRENCIES);
const anyNetwork = fc.constantFrom(...NETWORKS);

describe('addresses', () => {
  test('of every kind, currency and network, encoded by other code, are read as their script', () => {
    fc.assert(
      fc.property(anyHash, anyCurrency, anyNetwork, ({ kind, hash }, currency, network) => {
        const address = otherAddress(kind, hash, currency, network);
        expect(hex(accepted(addressToScript(address, currency, network)))).toBe(hex(otherScript(kind, hash)));
      }),
      { numRuns: 500 },
    );
  });

  test('of witness version 1 with another length than taproot’s are refused', () => {
    for (const length of [2, 20, 31, 33, 40]) {
      const words = [1, ...bech32m.toWords(new Uint8Array(length))];
      expect(refusalOf(addressToScript(bech32m.encode('bc', words), 'BTC', 'mainnet'))).toBe(
        'unsupported_address',
      );
    }
  });

  test('with one character changed are refused', () => {
    fc.assert(
      fc.property(anyHash, anyCurrency, fc.nat(), fc.nat(), ({ kind, hash }, currency, position, shift) => {
        const address = otherAddress(kind, hash, currency, 'mainnet');
        const at = position % address.length;
        const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
        const changed = address.slice(0, at) + alphabet[shift % alphabet.length] + address.slice(at + 1);
        fc.pre(changed !== address);
        expect(addressToScript(changed, currency, 'mainnet').ok).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test('of litecoin with the old P2SH version are the same script as with the new one', () => {
    const both = ['M7wtsL7wSHDBJVMWWhtQfTMSYYkyooAAXM', '31jkZShyVAMkVz5cQpu4qp73DrAXtFP3rZ'];
    const scripts = both.map((address) => hex(accepted(addressToScript(address, 'LTC', 'mainnet'))));
    expect(scripts).toEqual(Array(2).fill('a91400846c3f4a7bb38e9b422b4129bf8b191287289e87'));
  });

  test('are read with surrounding whitespace', () => {
    expect(addressToScript(' 1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA\n', 'BTC', 'mainnet').ok).toBe(true);
  });
});

describe('a refused address says why', () => {
  test.each<[string, Currency, Network, string]>([
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'LTC', 'mainnet', 'address_of_other_currency'],
    ['1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', 'LTC', 'mainnet', 'address_of_other_currency'],
    ['ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', 'BTC', 'mainnet', 'address_of_other_currency'],
    ['M7wtsL7wSHDBJVMWWhtQfTMSYYkyooAAXM', 'BTC', 'mainnet', 'address_of_other_currency'],
    ['LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez', 'BTC', 'regtest', 'address_of_other_currency'],
    ['2Mww8dCYPUpKHofjgcXcBCEGmniw9CoaiD2', 'BTC', 'mainnet', 'address_of_other_network'],
    ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'BTC', 'testnet', 'address_of_other_network'],
    ['rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3', 'LTC', 'mainnet', 'address_of_other_network'],
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv', 'BTC', 'mainnet', 'address_checksum_mismatch'],
    ['1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabB', 'BTC', 'mainnet', 'address_checksum_mismatch'],
    ['DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC', 'BTC', 'mainnet', 'unsupported_address'],
    ['ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wq', 'BTC', 'mainnet', 'address_checksum_mismatch'],
    ['bc1gmk9yu', 'BTC', 'mainnet', 'address_checksum_mismatch'],
    ['', 'BTC', 'mainnet', 'malformed_address'],
    ['hello', 'BTC', 'mainnet', 'malformed_address'],
    ['bitcoin:1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA', 'BTC', 'mainnet', 'malformed_address'],
    ['z'.repeat(60_000), 'BTC', 'mainnet', 'malformed_address'],
    [`bc1${'q'.repeat(88)}`, 'BTC', 'mainnet', 'malformed_address'],
  ])('%.60s for %s %s: %s', (address, currency, network, code) => {
    expect(refusalOf(addressToScript(address, currency, network))).toBe(code);
  });

  test('an MWEB address', () => {
    const address =
      'ltcmweb1qq20e2arnhvxw97katjkmsd35agw3capxjkrkh7dk8d30rczm8ypxuq329nwh2twmchhqn3jqh7ua4ps539f6aazh79jy76urqht4qa59ts3at6gf';
    expect(refusalOf(addressToScript(address, 'LTC', 'mainnet'))).toBe('mweb_address');
  });
});
