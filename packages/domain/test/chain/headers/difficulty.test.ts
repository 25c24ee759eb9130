import { describe, expect, test } from 'vitest';
import { CHAINS, CURRENCIES, NETWORKS } from '../../../src/chain/chains.ts';
import { headerRulesOf, type HeaderRules } from '../../../src/chain/headers/consensus-rules.ts';
import {
  lowestNeeded,
  medianTimeMs,
  requiredBits,
  type ChainedHeader,
} from '../../../src/chain/headers/difficulty.ts';

const rulesOf = (currency: 'BTC' | 'LTC', genesis: string): HeaderRules => headerRulesOf(currency, genesis)!;
const BITCOIN = rulesOf('BTC', CHAINS.BTC.networks.mainnet.genesisHashes[0]!);
const [TESTNET3, TESTNET4, SIGNET] = CHAINS.BTC.networks.testnet.genesisHashes.map((hash) =>
  rulesOf('BTC', hash),
);
const LITECOIN = rulesOf('LTC', CHAINS.LTC.networks.mainnet.genesisHashes[0]!);
const LITECOIN_TEST = rulesOf('LTC', CHAINS.LTC.networks.testnet.genesisHashes[0]!);
const REGTEST = rulesOf('LTC', CHAINS.LTC.networks.regtest.genesisHashes[0]!);

/** A chain of headers from one height to another, times in seconds, of which some are given. */
function chain(from: number, to: number, given: Record<number, Partial<{ time: number; bits: number }>>) {
  const headers = new Map<string, ChainedHeader>();
  let last: ChainedHeader | undefined;
  let time = 1_000_000_000;
  let bits = 0x1d00ffff;
  for (let height = from; height <= to; height += 1) {
    time = given[height]?.time ?? time + 1;
    bits = given[height]?.bits ?? bits;
    last = { height, hash: `${height}`, prevHash: `${height - 1}`, timeMs: time * 1000, bits };
    headers.set(last.hash, last);
  }
  return { last: last!, find: (hash: string) => headers.get(hash), headers };
}

describe('the target after a retarget', () => {
  // Last block's height, time and bits, the time that the period is measured from, and the target: from the nodes' unit tests.
  test.for<[string, HeaderRules, number, number, number, number, number]>([
    ['bitcoin, first change', BITCOIN, 32255, 1262152739, 0x1d00ffff, 1261130161, 0x1d00d86a],
    ['bitcoin, limit', BITCOIN, 2015, 1233061996, 0x1d00ffff, 1231006505, 0x1d00ffff],
    ['signet, limit', SIGNET!, 2015, 1233061996, 0x1e0377ae, 1231006505, 0x1e0377ae],
    ['bitcoin, a quarter at least', BITCOIN, 68543, 1279297671, 0x1c05a3f4, 1279008237, 0x1c0168fd],
    ['bitcoin, four times at most', BITCOIN, 46367, 1269211443, 0x1c387f6f, 1263163443, 0x1d00e1fd],
    ['litecoin, ordinary', LITECOIN, 280223, 1358378777, 0x1c0ac141, 1358118740, 0x1c093f8d],
    ['litecoin, limit', LITECOIN, 2015, 1318480354, 0x1e0ffff0, 1317972665, 0x1e0fffff],
    ['litecoin, a quarter at least', LITECOIN, 578591, 1401757934, 0x1b075cf1, 1401682934, 0x1b01d73c],
    ['litecoin, four times at most', LITECOIN, 1001951, 1464900315, 0x1b015318, 1463690315, 0x1b054c60],
  ])('%s', ([, rules, height, time, bits, fromTime, expected]) => {
    const first = height - 2015;
    const isFirst = first === 0;
    const from = rules === LITECOIN && !isFirst ? first - 1 : first;
    // The neighbour from which the other currency measures is far off.
    const other = from === first ? first - 1 : first;
    const given = {
      [other]: { time: fromTime - 100_000 },
      [from]: { time: fromTime },
      [height]: { time, bits },
    };
    const { last, find } = chain(Math.max(0, first - 1), height, given);
    expect(requiredBits(rules, last, (time + 1) * 1000, find).toString(16)).toBe(expected.toString(16));
  });

  test('testnet4 starts from the target of the period’s first block (BIP 94), testnet3 from the last one’s', () => {
    const given = { 2016: { bits: 0x1c05a3f4, time: 0 }, 4031: { bits: 0x1d00ffff, time: 1_209_600 } };
    const { last, find } = chain(2015, 4031, given);
    expect(requiredBits(TESTNET4!, last, 0, find)).toBe(0x1c05a3f4);
    expect(requiredBits(TESTNET3!, last, 0, find)).toBe(0x1d00ffff);
  });
});

describe('the target between retargets', () => {
  const given = { 4032: { bits: 0x1c05a3f4 }, 4040: { bits: 0x1d00ffff, time: 2_000_000_000 } };
  const { last, find } = chain(4032, 4041, given);
  const after = (seconds: number) => last.timeMs + seconds * 1000;

  test('equals that of the previous block on mainnet and signet, however late the block is', () => {
    for (const rules of [BITCOIN, SIGNET!, LITECOIN])
      expect(requiredBits(rules, last, after(100_000), find)).toBe(0x1d00ffff);
  });

  test('is the minimum difficulty on test networks only if the block is more than two spacings late', () => {
    expect(requiredBits(TESTNET3!, last, after(1201), find)).toBe(0x1d00ffff);
    expect(requiredBits(TESTNET3!, last, after(1200), find)).toBe(0x1c05a3f4);
    expect(requiredBits(TESTNET4!, last, after(1200), find)).toBe(0x1c05a3f4);
    expect(requiredBits(LITECOIN_TEST, last, after(301), find)).toBe(0x1e0fffff);
    expect(requiredBits(LITECOIN_TEST, last, after(300), find)).toBe(0x1d00ffff);
  });

  test('never changes on regtest', () => {
    const { last: end, find: findIn } = chain(0, 2015, {});
    expect(requiredBits(REGTEST, end, 0, findIn)).toBe(0x207fffff);
  });
});

test('the median time uses the last eleven blocks, or as many as exist', () => {
  const times = [90, 10, 50, 20, 80, 30, 70, 40, 60, 100, 5];
  const { last, find } = chain(5, 16, Object.fromEntries(times.map((time, index) => [6 + index, { time }])));
  expect(medianTimeMs(last, find)).toBe(50_000);
  const short = chain(0, 1, { 0: { time: 10 }, 1: { time: 20 } });
  expect(medianTimeMs(short.last, short.find)).toBe(20_000);
});

test.for([BITCOIN, TESTNET3!, TESTNET4!, SIGNET!, LITECOIN, LITECOIN_TEST, REGTEST])(
  'validation asks for no header below `lowestNeeded`',
  (rules) => {
    for (const height of [1, 11, 12, 2015, 2016, 2017, 4031, 4032, 4033]) {
      const easiest = { bits: rules.limitBits };
      const { last, find } = chain(lowestNeeded(rules, height), height - 1, {
        [lowestNeeded(rules, height)]: easiest,
      });
      expect(() => requiredBits(rules, last, last.timeMs, find)).not.toThrow();
      expect(() => medianTimeMs(last, find)).not.toThrow();
    }
  },
);

test('between retargets, only the headers of the median time are needed if the target cannot change', () => {
  for (const rules of [BITCOIN, SIGNET!, LITECOIN, REGTEST]) expect(lowestNeeded(rules, 5000)).toBe(4989);
  for (const rules of [BITCOIN, LITECOIN]) expect(lowestNeeded(rules, 4032)).toBe(2015);
  expect(lowestNeeded(REGTEST, 4032)).toBe(4021);
});

test('every supported network has consensus rules', () => {
  for (const currency of CURRENCIES)
    for (const network of NETWORKS)
      for (const genesis of CHAINS[currency].networks[network].genesisHashes)
        expect(headerRulesOf(currency, genesis)).toMatchObject({ currency, genesisHash: genesis });
  expect(headerRulesOf('BTC', LITECOIN.genesisHash)).toBeNull();
});
