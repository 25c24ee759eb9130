import { describe, expect, test } from 'vitest';
import { parseBlockHeader } from '../../../src/chain/block-header.ts';
import { bytesFromHex } from '../../../src/chain/byte-reader.ts';
import {
  bitsOfTarget,
  meetsTarget,
  proofOfWorkHash,
  targetOfBits,
  workOfBits,
} from '../../../src/chain/headers/proof-of-work.ts';
import { BITCOIN_HEADERS, LITECOIN_GENESIS, SCRYPT_HEADERS } from './header-vectors.ts';

describe('compact targets', () => {
  // The table of the developer reference's section on nBits, and of the nodes' own unit tests.
  test.for<[number, bigint | null]>([
    [0x01003456, null],
    [0x01123456, 0x12n],
    [0x02008000, 0x80n],
    [0x05009234, 0x92340000n],
    [0x04923456, null],
    [0x04123456, 0x12345600n],
    [0x1d00ffff, 0xffffn << 208n],
    [0x207fffff, 0x7fffffn << 232n],
    [0x2100ffff, 0xffffn << 240n],
    [0x22000100, null],
    [0xff123456, null],
    [0, null],
  ])('%i decodes to its target, or to none if a node would refuse it', ([bits, target]) => {
    expect(targetOfBits(bits)).toBe(target);
  });

  test.for([0x1d00ffff, 0x1b0404cb, 0x207fffff, 0x1e0ffff0, 0x05009234, 0x02008000, 0x01120000])(
    '%i is the compact form of its target',
    (bits) => {
      expect(bitsOfTarget(targetOfBits(bits) ?? 0n)).toBe(bits);
    },
  );

  test('the work of a block equals the chainwork that nodes report', () => {
    expect(workOfBits(0x1d00ffff)).toBe(0x100010001n);
    expect(workOfBits(0x207fffff)).toBe(2n);
    expect(workOfBits(0)).toBe(0n);
  });
});

describe('proof of work', () => {
  test('headers of bitcoin’s main network have their hashes, and meet their targets', () => {
    for (const { hex, hash } of BITCOIN_HEADERS) {
      const raw = bytesFromHex(hex);
      const header = parseBlockHeader(raw);
      expect(header.hash).toBe(hash);
      expect(meetsTarget('BTC', raw, header.bits)).toBe(true);
    }
  });

  test('litecoin’s genesis block meets its target by its scrypt hash, not by its block hash', () => {
    const raw = bytesFromHex(LITECOIN_GENESIS.hex);
    const header = parseBlockHeader(raw);
    expect(header.hash).toBe(LITECOIN_GENESIS.hash);
    expect(meetsTarget('LTC', raw, header.bits)).toBe(true);
    expect(meetsTarget('BTC', raw, header.bits)).toBe(false);
  });

  test.for(SCRYPT_HEADERS)('litecoin’s own test vector $pow is reproduced', ({ hex, pow }) => {
    expect(proofOfWorkHash('LTC', bytesFromHex(hex)).toString(16).padStart(64, '0')).toBe(pow);
  });

  test('changing any bit of a header invalidates its proof of work', () => {
    const [{ hex }] = BITCOIN_HEADERS;
    const raw = bytesFromHex(hex);
    for (let at = 0; at < 80; at += 1) {
      const changed = Buffer.from(raw);
      changed[at]! ^= 1;
      expect(meetsTarget('BTC', changed, 0x1d00ffff)).toBe(false);
    }
  });
});
