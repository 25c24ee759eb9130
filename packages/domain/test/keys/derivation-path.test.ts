import { describe, expect, test } from 'vitest';
import { parseDerivationPath, scriptTypeOfPurpose } from '../../src/keys/derivation-path.ts';
import { accepted, refusalOf } from '../values/expect-checked.ts';

describe('a derivation path', () => {
  test.each([
    ["m/84'/0'/0'", "m/84'/0'/0'", [84, 0, 0], 0],
    ['m/84h/0H/0h', "m/84'/0'/0'", [84, 0, 0], 0],
    ["m/49'/2'/7'/1", "m/49'/2'/7'/1", [49, 2, 7], 1],
    ["  m/44'/0'/0'/0\n", "m/44'/0'/0'/0", [44, 0, 0], 0],
    ["m/48'/0'/0'/2'/5", "m/48'/0'/0'/2'/5", [48, 0, 0, 2], 5],
    ["m/2147483647'/2147483647", "m/2147483647'/2147483647", [2147483647], 2147483647],
    ['m/0', 'm/0', [], 0],
    ['m', 'm', [], 0],
  ])('%j is read as %s', (input, text, origin, branch) => {
    expect(accepted(parseDerivationPath(input))).toEqual({ text, origin, branch });
  });

  test.each([
    '',
    '/',
    'm/',
    "84'/0'/0'",
    "M/84'",
    "m//84'",
    "m/84'/",
    "m/084'",
    "m/-1'",
    "m/1.5'",
    "m/84''",
    'm/x',
    'm/84’/0’/0’',
    "m/99999999999'",
    `m${"/0'".repeat(85)}`,
  ])('%j is nonsense', (input) => {
    expect(refusalOf(parseDerivationPath(input))).toBe('malformed_derivation_path');
  });

  test.each(["m/2147483648'", "m/84'/0'/0'/2147483648"])('%j has an index that does not exist', (input) => {
    expect(refusalOf(parseDerivationPath(input))).toBe('derivation_index_too_large');
  });

  test.each(["m/0/0'", "m/84'/0/0'", "m/84'/0'/0'/0/0'"])(
    '%j has a hardened step that no public key can derive',
    (input) => {
      expect(refusalOf(parseDerivationPath(input))).toBe('hardened_after_unhardened');
    },
  );

  test.each(["m/84'/0'/0'/0/0", 'm/0/0', `m${"/0'".repeat(11)}`, `m${"/0'".repeat(84)}/0`])(
    '%j is too deep',
    (input) => {
      expect(refusalOf(parseDerivationPath(input))).toBe('derivation_path_too_deep');
    },
  );

  test.each([
    ["m/44'/0'/0'", 'p2pkh'],
    ["m/49'/0'/0'", 'p2sh_p2wpkh'],
    ["m/84'/0'/0'", 'p2wpkh'],
    ["m/86'/0'/0'", null],
    ['m/84', null],
    ['m', null],
  ])('the purpose of %s stands for %s', (input, scriptType) => {
    expect(scriptTypeOfPurpose(accepted(parseDerivationPath(input)))).toBe(scriptType);
  });
});
