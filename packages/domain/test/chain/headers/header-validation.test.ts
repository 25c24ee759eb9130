import { describe, expect, test } from 'vitest';
import { parseBlockHeader } from '../../../src/chain/block-header.ts';
import { parseBlock } from '../../../src/chain/block.ts';
import { bytesFromHex } from '../../../src/chain/byte-reader.ts';
import { CHAINS } from '../../../src/chain/chains.ts';
import { headerRulesOf } from '../../../src/chain/headers/consensus-rules.ts';
import { findBlockFault, findHeaderFault } from '../../../src/chain/headers/header-validation.ts';
import { merkleRootOf } from '../../../src/chain/headers/merkle-root.ts';
import { BITCOIN_HEADERS } from './header-vectors.ts';
import { rawSample } from '../node-answers.ts';

describe('a header', () => {
  const [genesis, first] = BITCOIN_HEADERS;
  const rules = headerRulesOf('BTC', genesis.hash)!;
  const parent = { height: 0, ...parseBlockHeader(bytesFromHex(genesis.hex)) };
  const faultOf = (raw: Buffer): string | null =>
    findHeaderFault(rules, { raw, header: parseBlockHeader(raw) }, parent, () => undefined);
  const changed = (change: (raw: Buffer) => void): Buffer => {
    const raw = bytesFromHex(first.hex);
    change(raw);
    return raw;
  };

  test('of the main network is accepted', () => {
    expect(faultOf(bytesFromHex(first.hex))).toBeNull();
  });

  test.for<[string, (raw: Buffer) => unknown, RegExp]>([
    ['without work', (raw) => raw.writeUInt32LE(1, 76), /does not meet its target/],
    ['with an easier target', (raw) => raw.writeUInt32LE(0x207fffff, 72), /claims target 207fffff/],
    ['with a harder target', (raw) => raw.writeUInt32LE(0x1c00ffff, 72), /claims target 1c00ffff/],
    ['as old as the median below', (raw) => raw.writeUInt32LE(1231006505, 68), /median of the eleven/],
  ])('%s is refused', ([, change, fault]) => {
    expect(faultOf(changed(change))).toMatch(fault);
  });

  test('that begins a testnet4 period long before the previous block is refused (BIP 94)', () => {
    const testnet4 = headerRulesOf('BTC', CHAINS.BTC.networks.testnet.genesisHashes[1]!)!;
    const below = { height: 2015, hash: 'b', prevHash: 'a', timeMs: 2_000_000_000_000, bits: 0x1d00ffff };
    const find = (hash: string) => {
      const height = 2014 - hash.length + 1;
      return { ...below, height, hash, prevHash: `${hash}a`, timeMs: 1_000_000_000_000 + height * 1000 };
    };
    const fault = (seconds: number) => {
      const raw = changed((bytes) => bytes.writeUInt32LE(seconds, 68));
      return findHeaderFault(testnet4, { raw, header: parseBlockHeader(raw) }, below, find);
    };
    expect(fault(2_000_000_000 - 601)).toMatch(/more than ten minutes before/);
    expect(fault(2_000_000_000 - 600)).toMatch(/does not meet its target/);
  });
});

describe('a block', () => {
  test.for(['bitcoin/btc-block', 'litecoin-mweb/ltc-block432', 'litecoin-mweb/ltc-block-pegout'])(
    '%s of a node is accepted',
    (name) => {
      expect(findBlockFault(parseBlock(rawSample(name)))).toBeNull();
    },
  );

  const block = parseBlock(rawSample('litecoin-mweb/ltc-block-pegout'));
  const [coinbase, ...others] = block.transactions;

  test.for([
    ['with a transaction left out', [coinbase!, ...others.slice(1)], /other transactions/],
    ['with transactions in another order', [coinbase!, ...others.toReversed()], /other transactions/],
    ['of nothing', [], /other transactions/],
  ] as const)('%s is refused', ([, transactions, fault]) => {
    expect(findBlockFault({ ...block, transactions })).toMatch(fault);
  });

  test.for([3, 5, 6, 7, 11])('of %d transactions that repeats its last ones is refused', (count) => {
    const txids = Array.from({ length: count }, (_, i) => `${i}`.padStart(64, '0'));
    const { root, isMutated } = merkleRootOf(txids);
    expect(isMutated).toBe(false);
    // The lowest power of two that divides the count: so many can be repeated without changing the root.
    const repeated = count & -count;
    const mutated = merkleRootOf([...txids, ...txids.slice(-repeated)]);
    expect(mutated).toEqual({ root, isMutated: true });
  });

  test('with a coinbase that is not the first transaction is refused', () => {
    const transactions = [coinbase!, coinbase!];
    const { root } = merkleRootOf([coinbase!.txid, 'f'.repeat(64)]);
    const second = Object.create(coinbase!, { txid: { value: 'f'.repeat(64) } }) as typeof coinbase & object;
    expect(findBlockFault({ ...block, merkleRoot: root!, transactions: [transactions[0]!, second] })).toMatch(
      /coinbase in the wrong place/,
    );
  });
});
