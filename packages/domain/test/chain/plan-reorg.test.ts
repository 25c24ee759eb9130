import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chainAfter, planReorg } from '../../src/chain/plan-reorg.ts';
import type { BlockPlace, LinkedBlock } from '../../src/chain/plan-reorg.ts';

/** Blocks of a branch from `from` to `to`, newest first; below `fork` they are those of the main branch. */
function branch(name: string, from: number, to: number, fork = 0): LinkedBlock[] {
  const hash = (height: number) => (height <= fork ? `main${height}` : `${name}${height}`);
  const heights = Array.from({ length: to - from + 1 }, (_, i) => to - i);
  return heights.map((height) => ({ height, hash: hash(height), prevHash: hash(height - 1) }));
}

const ours: BlockPlace[] = branch('main', 10, 20).map(({ height, hash }) => ({ height, hash }));

describe('following the best chain', () => {
  test.each<[string, LinkedBlock[], object]>([
    ['nothing is new', branch('main', 20, 20), { kind: 'follow', disconnect: [], connect: [] }],
    [
      'nothing is new, read further down',
      branch('main', 15, 20),
      { kind: 'follow', disconnect: [], connect: [] },
    ],
    [
      'one block more',
      branch('main', 21, 21),
      { kind: 'follow', disconnect: [], connect: branch('main', 21, 21) },
    ],
    [
      'several, with one that we have',
      branch('main', 20, 22),
      { kind: 'follow', disconnect: [], connect: branch('main', 21, 22).toReversed() },
    ],
    ['several missed', branch('main', 23, 24), { kind: 'need_older', height: 22 }],
    ['another branch, as far as read', branch('fork', 20, 21, 17), { kind: 'need_older', height: 19 }],
    [
      'another branch, read to the fork',
      branch('fork', 18, 21, 17),
      { kind: 'follow', disconnect: ours.slice(0, 3), connect: branch('fork', 18, 21, 17).toReversed() },
    ],
    [
      'a branch that is lower but best',
      branch('fork', 18, 19, 17),
      { kind: 'follow', disconnect: ours.slice(0, 3), connect: branch('fork', 18, 19, 17).toReversed() },
    ],
    ['a node that is behind', branch('main', 12, 18), { kind: 'node_behind', tipHeight: 18 }],
    [
      'a branch that parts at our oldest block',
      branch('fork', 11, 21, 10),
      { kind: 'follow', disconnect: ours.slice(0, 10), connect: branch('fork', 11, 21, 10).toReversed() },
    ],
    [
      'a branch that parts below all we keep',
      branch('fork', 11, 21, 9),
      { kind: 'too_deep', oldestHeight: 10 },
    ],
    ['a branch wholly below all we keep', branch('fork', 5, 8, 4), { kind: 'too_deep', oldestHeight: 10 }],
    [
      'headers of two branches',
      [...branch('fork', 20, 21, 18), ...branch('main', 18, 19)],
      { kind: 'moved' },
    ],
    ['headers with a hole', [...branch('main', 22, 22), ...branch('main', 20, 20)], { kind: 'moved' }],
    [
      'headers that link and miscount',
      [...branch('main', 22, 22), { ...branch('main', 21, 21)[0]!, height: 20 }],
      { kind: 'moved' },
    ],
    ['no headers', [], { kind: 'moved' }],
  ])('%s', (_title, theirs, plan) => {
    expect(planReorg(ours, theirs)).toEqual(plan);
  });

  test('without a known chain all blocks are connected', () => {
    expect(planReorg([], branch('main', 5, 6))).toEqual({
      kind: 'follow',
      disconnect: [],
      connect: branch('main', 5, 6).toReversed(),
    });
  });

  test('whatever the reorg, asking for older headers ends on the node’s chain, with nothing left to do', () => {
    const chains = fc.record({
      ourTip: fc.integer({ min: 1, max: 150 }),
      theirTip: fc.integer({ min: 1, max: 150 }),
      fork: fc.integer({ min: 0, max: 150 }),
    });
    fc.assert(
      fc.property(chains, ({ ourTip, theirTip, fork }) => {
        fc.pre(fork < theirTip && fork <= ourTip);
        const mine = branch('main', Math.max(0, ourTip - 99), ourTip).map(({ height, hash }) => ({
          height,
          hash,
        }));
        const { plan, theirs } = ask(mine, theirTip, fork);
        fc.pre(plan.kind === 'follow');
        const after = plan.kind === 'follow' ? chainAfter(mine, plan, 100) : [];
        expect(after[0]?.hash).toBe(theirs[0]?.hash);
        expect(after.length).toBeLessThanOrEqual(100);
        expect(after.every((block, i) => i === 0 || block.height === (after[i - 1]?.height ?? 0) - 1)).toBe(
          true,
        );
        expect(planReorg(after, theirs)).toEqual({ kind: 'follow', disconnect: [], connect: [] });
      }),
    );
  });
});

/** Plays the follower: reads one header more as long as the plan asks for it. */
function ask(mine: BlockPlace[], theirTip: number, fork: number) {
  let theirs = branch('fork', theirTip, theirTip, fork);
  let plan = planReorg(mine, theirs);
  while (plan.kind === 'need_older') {
    theirs = branch('fork', plan.height, theirTip, fork);
    plan = planReorg(mine, theirs);
  }
  return { plan, theirs };
}
