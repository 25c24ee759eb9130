import { describe, expect, test } from 'vitest';
import type { Currency, Network, ScriptType } from '../../src/chain/chains.ts';
import { fieldOfWalletKeyProblem, parseWalletKey } from '../../src/keys/wallet-key.ts';
import { accepted, refusalOf } from '../values/expect-checked.ts';

// One key of BIP 84's seed, in the forms that wallets show it in.
const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const XPUB = accepted(parseWalletKey({ currency: 'BTC', xpub: ZPUB }, 'mainnet')).xpub;
const YPUB =
  'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP';
const LTUB =
  'Ltub2YDQmP391UYeDYvLye9P1SuNJFkcRGN7SYHM8JMxaDnegcPTXHJ2BnYmvHnFnGPGKu2WMuCga6iZV3SDxDMGrRyMcrYEfSPhrpS1EPkC43E';
const MTUB =
  'Mtub2rz9F1pkisRsSZX8sa4Ajon9GhPP6JymLgpuHqbYdU5JKFLBF7Qy8b1tZ3dccj2fefrAxfrPdVkpCxuWn3g72UctH2bvJRkp6iFmp8aLeRZ';

function walletKey(
  xpub: string,
  scriptType?: ScriptType,
  derivationPath?: string,
  currency: Currency = 'LTC',
) {
  return parseWalletKey({ currency, xpub, scriptType, derivationPath }, 'mainnet');
}

function identityOf(
  xpub: string,
  scriptType?: ScriptType,
  path?: string,
  currency: Currency = 'BTC',
): string {
  return accepted(walletKey(xpub, scriptType, path, currency)).identity;
}

describe('the script type', () => {
  test.each<[string, string, ScriptType | undefined, string | undefined, ScriptType]>([
    ['the prefix, where none is named', ZPUB, undefined, undefined, 'p2wpkh'],
    ['the prefix, where none is named', YPUB, undefined, undefined, 'p2sh_p2wpkh'],
    ['the prefix, where none is named', MTUB, undefined, undefined, 'p2sh_p2wpkh'],
    ['the prefix rather than the path', ZPUB, undefined, "m/44'/0'/0'", 'p2wpkh'],
    ['the path, where the prefix says nothing', XPUB, undefined, "m/84'/0'/0'", 'p2wpkh'],
    ['the path, where the prefix says nothing', XPUB, undefined, 'm/49h/0h/0h', 'p2sh_p2wpkh'],
    ['the path, where the prefix says nothing', LTUB, undefined, "m/44'/2'/0'", 'p2pkh'],
    ['p2pkh, where nothing says anything', XPUB, undefined, undefined, 'p2pkh'],
    ['p2pkh, where nothing says anything', LTUB, undefined, "m/0'", 'p2pkh'],
    ['the merchant’s word', XPUB, 'p2wpkh', undefined, 'p2wpkh'],
    ['the merchant’s word', LTUB, 'p2sh_p2wpkh', undefined, 'p2sh_p2wpkh'],
    ['the merchant’s word rather than the path', XPUB, 'p2pkh', "m/84'/0'/0'", 'p2pkh'],
    ['the merchant’s word, where the prefix agrees', ZPUB, 'p2wpkh', undefined, 'p2wpkh'],
  ])('is %s', (_title, xpub, requested, path, scriptType) => {
    expect(accepted(walletKey(xpub, requested, path)).scriptType).toBe(scriptType);
  });

  test.each<[string, ScriptType]>([
    [ZPUB, 'p2pkh'],
    [ZPUB, 'p2sh_p2wpkh'],
    [YPUB, 'p2wpkh'],
    [MTUB, 'p2pkh'],
  ])('that contradicts the prefix of %.4s is refused', (xpub, requested) => {
    expect(refusalOf(walletKey(xpub, requested))).toBe('script_type_contradiction');
  });
});

describe('a registered key', () => {
  test('keeps its path in one spelling, and its branch', () => {
    expect(accepted(walletKey(ZPUB, undefined, 'm/84h/2h/0h/1'))).toMatchObject({
      currency: 'LTC',
      network: 'mainnet',
      xpub: XPUB,
      derivationPath: "m/84'/2'/0'/1",
      branch: 1,
    });
    expect(accepted(walletKey(ZPUB))).toMatchObject({ derivationPath: null, branch: 0 });
  });

  test('gives itself back from what is stored of it', () => {
    const key = accepted(walletKey(ZPUB, undefined, "m/84'/2'/0'/1"));
    const again = walletKey(key.xpub, key.scriptType, key.derivationPath ?? undefined);
    expect(accepted(again)).toEqual(key);
  });

  test.each<[string, string | undefined, string, string]>([
    [LTUB, undefined, 'key_of_other_currency', 'xpub'],
    [XPUB, "m/0/0'", 'hardened_after_unhardened', 'derivation_path'],
    ['xprv', undefined, 'private_key', 'xpub'],
  ])('that is refused names the field: %.4s %s', (xpub, path, code, field) => {
    const refusal = refusalOf(walletKey(xpub, undefined, path, 'BTC'));
    expect(refusal).toBe(code);
    expect(fieldOfWalletKeyProblem(refusal)).toBe(field);
  });

  test('whose prefix contradicts the script type names that field', () => {
    expect(fieldOfWalletKeyProblem('script_type_contradiction')).toBe('script_type');
  });
});

describe('the identity of a key', () => {
  const identity = identityOf(ZPUB);

  test('is the same however the key is written', () => {
    expect(identity).toMatch(/^[0-9a-f]{64}$/);
    expect(identityOf(XPUB, 'p2wpkh')).toBe(identity);
    expect(identityOf(XPUB, undefined, "m/84'/0'/0'")).toBe(identity);
    expect(identityOf(ZPUB, undefined, "m/84'/0'/9'/0")).toBe(identity);
  });

  test('is the same on every release, since stored pools are named by it', () => {
    expect(identity).toBe('1ca3e423af32cebf2cf56346dea138b4849fb643994822d7259efd54b2037285');
  });

  test('differs wherever the addresses differ', () => {
    const others = [
      identityOf(ZPUB, undefined, undefined, 'LTC'),
      identityOf(XPUB, 'p2pkh'),
      identityOf(ZPUB, undefined, "m/84'/0'/0'/1"),
      identityOf(YPUB),
    ];
    expect(new Set([identity, ...others]).size).toBe(5);
  });

  test.each<Network>(['testnet', 'regtest'])('does not depend on the network: %s', (network) => {
    expect(accepted(parseWalletKey({ currency: 'BTC', xpub: ZPUB }, network)).identity).toBe(identity);
  });
});

test.each([
  ['private_key', 'xpub'],
  ['seed_phrase', 'xpub'],
  ['multisig_key', 'xpub'],
  ['unknown_key_format', 'xpub'],
  ['key_of_other_currency', 'xpub'],
  ['key_of_other_network', 'xpub'],
  ['key_checksum_mismatch', 'xpub'],
  ['invalid_key', 'xpub'],
  ['script_type_contradiction', 'script_type'],
  ['malformed_derivation_path', 'derivation_path'],
  ['derivation_index_too_large', 'derivation_path'],
  ['hardened_after_unhardened', 'derivation_path'],
  ['derivation_path_too_deep', 'derivation_path'],
] as const)('%s is a problem of the field %s', (code, field) => {
  expect(fieldOfWalletKeyProblem(code)).toBe(field);
});
