import type { NodeRpc } from '@paywatch/dev/nodes';

/** A node's clock, which can be made wrong. */
export type NodeClock = {
  /** From now on it is ahead by so much, behind by a negative number, right by 0. It goes on all the same, and survives restarts. */
  setSkew(ms: number): Promise<void>;
};

/** For how long it may stand still, and after a start of the node be right. */
const TICK_MS = 500;

/** Starts it right. */
export function startNodeClock(rpc: NodeRpc): NodeClock {
  let skewMs = 0;
  const tick = (): Promise<void> =>
    rpc.setMockTime(skewMs === 0 ? null : Math.floor((Date.now() + skewMs) / 1000));
  const timer = setInterval(() => {
    // A node that is down has no clock; the next tick finds it again.
    if (skewMs !== 0) tick().catch(() => undefined);
  }, TICK_MS);
  timer.unref();
  return {
    setSkew: async (ms) => {
      skewMs = ms;
      await tick();
    },
  };
}
