import type { NodeRpc } from '@paywatch/dev/nodes';

/** A node's clock, which can be made wrong. */
export type NodeClock = {
  /** Sets how far the clock is ahead of the right time; negative is behind, 0 is right. The skew survives restarts of the node. */
  setSkew(ms: number): Promise<void>;
};

/** How often the clock is set: between two ticks it stands still, and a restarted node has the right time. */
const TICK_MS = 500;

/** Starts with the right time. */
export function startNodeClock(rpc: Pick<NodeRpc, 'setMockTime'>): NodeClock {
  let skewMs = 0;
  let last = Promise.resolve();
  const set = (): Promise<void> =>
    rpc.setMockTime(skewMs === 0 ? null : Math.floor((Date.now() + skewMs) / 1000));
  // One call at a time: one that is answered after the next one would stop a clock that was set right.
  const tick = (): Promise<void> => (last = last.then(set, set));
  const timer = setInterval(() => {
    // The run also stops and kills the node; the next tick sets the clock again.
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
