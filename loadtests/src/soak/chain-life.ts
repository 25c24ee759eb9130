import type { Figure } from '@paywatch/dev/commands';
import type { Stack } from '@paywatch/dev/stack';
import type { SeededRandom } from '@paywatch/dev/testing';
import { unownedAddress, type Currency } from '@paywatch/dev/wallet';
import { setTimeout as sleep } from 'node:timers/promises';

const CURRENCIES: readonly Currency[] = ['BTC', 'LTC'];
const BLOCK_EVERY_MS = 4000;
/** Of the blocks. */
const REORGANISED = 0.1;
const DEEPEST = 3;
/** More than any order of the load asks for. */
const CONFIRMATIONS = 8;

/** Both chains with blocks and reorganisations. */
export type ChainLife = {
  /** Resolves after `end`; rejects if a node refuses a block. */
  lived: Promise<unknown>;
  end(): void;
  /** Mines until everything in the mempools is as deep as any order asks for. */
  confirmEverything(): Promise<void>;
  figures(): Figure[];
};

/** A reward may be spent after 100 blocks; no reorganisation goes as deep as the rest. */
const OLD_ENOUGH = 110;

/** Mines until all rewards of the payers stay spendable: a payment of a young one would be invalid after a reorganisation. */
export async function ageRewards({ payers }: Pick<Stack, 'payers'>): Promise<void> {
  for (const currency of CURRENCIES)
    await payers[currency].mine(OLD_ENOUGH, { toAddress: unownedAddress(currency) });
}

/** Mines on both chains, and now and then replaces the newest blocks by others with the same payments. */
export function startChains({ payers }: Pick<Stack, 'payers'>, random: SeededRandom): ChainLife {
  const counts = { blocks: 0, reorganisations: 0 };
  const stopping = new AbortController();
  const live = async (currency: Currency): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (random.happens(REORGANISED)) {
        await payers[currency].reorg(1 + random.integer(DEEPEST));
        counts.reorganisations += 1;
      } else {
        // To nobody: payers have no young rewards.
        await payers[currency].mine(1, { toAddress: unownedAddress(currency) });
        counts.blocks += 1;
      }
      await sleep(BLOCK_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  return {
    lived: Promise.all(CURRENCIES.map(live)),
    end: () => stopping.abort(),
    confirmEverything: async () => {
      for (const currency of CURRENCIES)
        await payers[currency].mine(CONFIRMATIONS, { toAddress: unownedAddress(currency) });
    },
    figures: () => [
      { name: 'blocks', value: counts.blocks },
      { name: 'reorganisations', value: counts.reorganisations },
    ],
  };
}
