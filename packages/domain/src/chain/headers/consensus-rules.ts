import type { Currency } from '../../values/coins.ts';

/** A network's consensus rules for block headers. */
export interface HeaderRules {
  readonly currency: Currency;
  /** Display hex of block 0. */
  readonly genesisHash: string;
  /** The easiest target, compact. */
  readonly limitBits: number;
  /** The intended duration of a retarget period and of one block, in seconds. */
  readonly periodSeconds: number;
  readonly spacingSeconds: number;
  /** The difficulty never changes. */
  readonly isFixed: boolean;
  /** Whether a block more than two spacings after the previous one may have the easiest target. */
  readonly allowsEasyBlocks: boolean;
  /**
   * Where a period is measured from: Litecoin from the last block before it (except for the first period), Bitcoin from its
   * first block.
   */
  readonly measuresFromBlockBefore: boolean;
  /** BIP 94: retargets start from the period's first block, whose time is at most 600 s before that of the block below. */
  readonly hasBip94: boolean;
  /** Known facts about the chain; null for networks whose blocks are worthless. */
  readonly known: KnownChain | null;
}

/** Facts about a chain, from the parameters of the node's own release. */
interface KnownChain {
  /** Chains with less work in total are not this network's. */
  readonly minimumWork: bigint;
  /** A block that every honest source has; its hash commits to all blocks below. */
  readonly checkpoint: { readonly height: number; readonly hash: string };
  /** A header above the checkpoint with less work than this is not accepted without the headers below it. */
  readonly leastBlockWork: bigint;
}

/** Blocks between two retargets, in every network whose difficulty changes. */
export const RETARGET_BLOCKS = 2016;

// Renew both with each release: `nMinimumChainWork` and `defaultAssumeValid` in src/kernel/chainparams.cpp of Bitcoin Core and
// in src/chainparams.cpp of Litecoin Core. `leastBlockWork`: a sixteenth of the average work of a block between the last
// two values of nMinimumChainWork. The difficulty of either chain has never fallen that far.

/** Bitcoin Core 31 (parameters of 2026-02-25). */
const BITCOIN_MAIN: KnownChain = {
  minimumWork: 0x01128750f82f4c366153a3a030n,
  checkpoint: { height: 938_343, hash: '00000000000000000000ccebd6d74d9194d8dcdc1d177c478e094bfad51ba5ac' },
  leastBlockWork: 0x6429eea944e3e2bf2dbn,
};
/** Litecoin Core 0.21.5.5 (2026-05-05; parameters of 2024-10-13). */
const LITECOIN_MAIN: KnownChain = {
  minimumWork: 0x146878abee06fa883e0an,
  checkpoint: {
    height: 2_772_730,
    hash: '80cdb35c080484df5bf384b311fde3c4694d3405765bc0f596e9eb369ff286e5',
  },
  leastBlockWork: 0x17f51c066f650en,
};

const TWO_WEEKS = 14 * 86_400;
const LITECOIN_PERIOD = 3.5 * 86_400;

const BITCOIN: HeaderRules = {
  currency: 'BTC',
  genesisHash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  limitBits: 0x1d00ffff,
  periodSeconds: TWO_WEEKS,
  spacingSeconds: 600,
  isFixed: false,
  allowsEasyBlocks: false,
  measuresFromBlockBefore: false,
  hasBip94: false,
  known: BITCOIN_MAIN,
};
const BITCOIN_TESTNET3: HeaderRules = {
  ...BITCOIN,
  genesisHash: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  allowsEasyBlocks: true,
  known: null,
};
const LITECOIN: HeaderRules = {
  ...BITCOIN,
  currency: 'LTC',
  genesisHash: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  limitBits: 0x1e0fffff,
  periodSeconds: LITECOIN_PERIOD,
  spacingSeconds: 150,
  measuresFromBlockBefore: true,
  known: LITECOIN_MAIN,
};
const REGTEST = { limitBits: 0x207fffff, isFixed: true, allowsEasyBlocks: true, known: null };

const ALL: readonly HeaderRules[] = [
  BITCOIN,
  BITCOIN_TESTNET3,
  {
    ...BITCOIN_TESTNET3,
    genesisHash: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
    hasBip94: true,
  },
  // Signet. The signatures of its blocks are in the coinbase and are not checked.
  {
    ...BITCOIN,
    genesisHash: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    limitBits: 0x1e0377ae,
    known: null,
  },
  {
    ...BITCOIN,
    genesisHash: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    ...REGTEST,
  },
  LITECOIN,
  {
    ...LITECOIN,
    genesisHash: '4966625a4b2851d9fdee139e56211a0d88575f59ed816ff5e6a63deb4e3e29a0',
    allowsEasyBlocks: true,
    known: null,
  },
  {
    ...LITECOIN,
    genesisHash: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
    ...REGTEST,
  },
];

/** The rules of the network with this genesis block (display hex); null if it is unknown. */
export function headerRulesOf(currency: Currency, genesisHash: string): HeaderRules | null {
  return ALL.find((rules) => rules.currency === currency && rules.genesisHash === genesisHash) ?? null;
}
