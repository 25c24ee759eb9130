import { NodeRpcError } from '@paywatch/dev/nodes';
import type { ChainHistory } from './chain-history.ts';

/** What happened on a chain, counted by name. */
export type Deeds = {
  counts: Readonly<Record<string, number>>;
  add(name: string, count?: number): void;
  /** Keeps the highest. */
  raise(name: string, to: number): void;
  /**
   * Counts the work where it is done, and writes down what the node holds after it. Null where the node refuses it, or where coins
   * are wanting: that is part of life; whatever else goes wrong is not.
   */
  attempt<T>(name: string, work: () => Promise<T>): Promise<T | null>;
};

/** Nothing has happened yet. */
export function noDeeds(history: ChainHistory): Deeds {
  const counts: Record<string, number> = {};
  const add = (name: string, count = 1): void => void (counts[name] = (counts[name] ?? 0) + count);
  return {
    counts,
    add,
    raise: (name, to) => void (counts[name] = Math.max(counts[name] ?? 0, to)),
    attempt: async (name, work) => {
      try {
        const result = await work();
        add(name);
        return result;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        add('refused');
        return null;
      } finally {
        await history.note();
      }
    },
  };
}

/** The node's own, or what the payer says where its coins do not suffice, or where a parent is kept out of the block. */
function isRefusal(error: unknown): boolean {
  if (error instanceof NodeRpcError) return true;
  return error instanceof Error && /coins do not cover|was not mined|is no payment of/.test(error.message);
}
