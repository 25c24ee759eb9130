import { HDKey } from '@scure/bip32';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { addressToScript } from '../../src/chain/address.ts';
import { CURRENCIES, NETWORKS, SCRIPT_TYPES } from '../../src/chain/chains.ts';
import {
  type ReceiveKey,
  childrenOf,
  deriveReceiveAddress,
  deriveReceiveAddresses,
  findAddress,
} from '../../src/keys/receive-address.ts';
import { parseWalletKey } from '../../src/keys/wallet-key.ts';
import { hash160 } from '../../src/chain/hashes.ts';
import { otherAddress, otherScript } from '../chain/other-encoding.ts';
import { accepted } from '../values/expect-checked.ts';
import { readJson } from '../support/read-json.ts';

const vectors = z
  .array(
    z.object({
      source: z.string(),
      currency: z.enum(CURRENCIES),
      network: z.enum(NETWORKS),
      scriptType: z.enum(SCRIPT_TYPES),
      key: z.string(),
      addresses: z.array(z.tuple([z.string(), z.int(), z.string()])),
    }),
  )
  .parse(readJson('../vectors/receive-addresses.json'));

describe('published addresses', () => {
  test.each(vectors)('of $source: $currency $network $scriptType', (vector) => {
    for (const [derivationPath, index, address] of vector.addresses) {
      const key = parseWalletKey(
        { currency: vector.currency, xpub: vector.key, derivationPath },
        vector.network,
      );
      expect(accepted(key).scriptType).toBe(vector.scriptType);
      expect(deriveReceiveAddress(accepted(key), index)).toMatchObject({ index, address });
    }
  });
});

const seed = fc.uint8Array({ minLength: 16, maxLength: 64 });
const index = fc.nat({ max: 0x7fffffff });

/** The address by other code: derived from the private key, encoded by @scure/base. */
function addressOfPrivateKey({ currency, network, scriptType }: ReceiveKey, child: HDKey): string {
  const hash = hash160(child.publicKey ?? new Uint8Array());
  if (scriptType !== 'p2sh_p2wpkh') return otherAddress(scriptType, hash, currency, network);
  return otherAddress('p2sh', hash160(otherScript('p2wpkh', hash)), currency, network);
}

describe('receive addresses', () => {
  const everyKind = fc.record({
    currency: fc.constantFrom(...CURRENCIES),
    network: fc.constantFrom(...NETWORKS),
    scriptType: fc.constantFrom(...SCRIPT_TYPES),
  });

  test('are those of the private key, encoded by other code, for every currency, network and script type', () => {
    fc.assert(
      fc.property(seed, everyKind, index, index, (bytes, kind, branch, at) => {
        const account = HDKey.fromMasterSeed(bytes).derive("m/84'/0'/0'");
        const key = { ...kind, branch, xpub: account.publicExtendedKey };
        const derived = deriveReceiveAddress(key, at);
        expect(derived.address).toBe(addressOfPrivateKey(key, account.deriveChild(branch).deriveChild(at)));
        expect(Buffer.from(accepted(addressToScript(derived.address, key.currency, key.network)))).toEqual(
          Buffer.from(derived.script),
        );
      }),
      { numRuns: 60 },
    );
  });

  const key: ReceiveKey = {
    currency: 'BTC',
    network: 'mainnet',
    scriptType: 'p2wpkh',
    branch: 0,
    xpub: HDKey.fromMasterSeed(Buffer.alloc(32, 1)).publicExtendedKey,
  };

  test('of a range are those derived one by one', () => {
    const range = deriveReceiveAddresses(key, 5, 4);
    expect(range).toEqual([5, 6, 7, 8].map((at) => deriveReceiveAddress(key, at)));
    expect(deriveReceiveAddresses(key, 5, 0)).toEqual([]);
  });

  test('end at index 2147483647', () => {
    expect(deriveReceiveAddress(key, 0x7fffffff).index).toBe(0x7fffffff);
    expect(() => deriveReceiveAddresses(key, 0x7fffffff, 2)).toThrow(RangeError);
    for (const wrong of [-1, 0.5, NaN, 0x80000000])
      expect(() => deriveReceiveAddress(key, wrong)).toThrow(RangeError);
  });

  test('of an index without a key have the index that took its place, and none comes twice', () => {
    const publicKey = new Uint8Array(33);
    const parent = { deriveChild: (at: number) => ({ index: at === 3 || at === 4 ? 5 : at, publicKey }) };
    expect([...childrenOf(parent, 2, 4)].map((child) => child.index)).toEqual([2, 5, 6, 7]);
  });
});

describe('looking for an address', () => {
  const xpub = HDKey.fromMasterSeed(Buffer.alloc(32, 2)).derive("m/84'/2'/0'").publicExtendedKey;
  const key: ReceiveKey = { currency: 'LTC', network: 'mainnet', scriptType: 'p2wpkh', branch: 0, xpub };

  test('finds a receive address of the wallet', () => {
    const { script } = deriveReceiveAddress(key, 3);
    expect(findAddress(key, script, 0, 5)).toEqual({
      index: 3,
      branch: 0,
      scriptType: 'p2wpkh',
      isReceiveAddress: true,
    });
  });

  test.each(SCRIPT_TYPES)('finds an address under script type %s and says so', (scriptType) => {
    const { script } = deriveReceiveAddress({ ...key, scriptType }, 1);
    const isReceiveAddress = scriptType === 'p2wpkh';
    expect(findAddress(key, script, 0, 5)).toEqual({ index: 1, branch: 0, scriptType, isReceiveAddress });
  });

  test('finds a change address and says so', () => {
    const { script } = deriveReceiveAddress({ ...key, branch: 1 }, 0);
    expect(findAddress(key, script, 0, 1)).toEqual({
      index: 0,
      branch: 1,
      scriptType: 'p2wpkh',
      isReceiveAddress: false,
    });
  });

  test('finds an address of the wallet’s own unusual branch', () => {
    const unusual = { ...key, branch: 7 };
    const { script } = deriveReceiveAddress(unusual, 2);
    expect(findAddress(unusual, script, 0, 3)).toMatchObject({ branch: 7, isReceiveAddress: true });
    expect(findAddress(key, script, 0, 3)).toBeNull();
  });

  test('finds nothing outside of the indexes it was given', () => {
    const { script } = deriveReceiveAddress(key, 3);
    expect(findAddress(key, script, 0, 3)).toBeNull();
    expect(findAddress(key, script, 4, 3)).toBeNull();
  });

  test('takes either version byte of a litecoin P2SH address', () => {
    const wallet = accepted(parseWalletKey({ currency: 'LTC', xpub: MTUB }, 'mainnet'));
    for (const address of ['M7wtsL7wSHDBJVMWWhtQfTMSYYkyooAAXM', '31jkZShyVAMkVz5cQpu4qp73DrAXtFP3rZ']) {
      const script = accepted(addressToScript(address, 'LTC', 'mainnet'));
      expect(findAddress(wallet, script, 0, 1)).toMatchObject({ index: 0, isReceiveAddress: true });
    }
  });
});

const MTUB =
  'Mtub2rz9F1pkisRsSZX8sa4Ajon9GhPP6JymLgpuHqbYdU5JKFLBF7Qy8b1tZ3dccj2fefrAxfrPdVkpCxuWn3g72UctH2bvJRkp6iFmp8aLeRZ';
