import { expect, test } from 'vitest';
import { chooseSource, isOutdone, type SourceStanding } from '../../src/node/choose-source.ts';

const good: SourceStanding = { rank: 0, fault: null, isLagging: false, isDistrusted: false, isProven: false };
const down: SourceStanding = { ...good, fault: 'does not answer' };
const standIn: SourceStanding = { ...good, rank: 1 };
const proven = { isProven: true };
const lagging = { isLagging: true };
const distrusted = { isDistrusted: true };

test.for<[string, SourceStanding[], number | null, number | null]>([
  ['the first one at the start', [good, good], null, 0],
  ['a node before what stands in for it', [standIn, good], null, 1],
  ['nothing when none can be read', [down, down], 0, null],
  ['the one that is read from, while it is good', [good, good], 1, 1],
  ['another one when it is down', [down, good], 0, 1],
  ['a stand-in when every node is down', [down, standIn], 0, 1],
  ['another one when it lags', [{ ...good, ...lagging }, good], 0, 1],
  ['another one when reading from it failed', [{ ...good, ...distrusted }, good], 0, 1],
  ['it all the same when it is the only one', [{ ...good, ...lagging, ...distrusted }], 0, 0],
  [
    'one that failed lately before one that lags',
    [
      { ...good, ...lagging },
      { ...good, ...distrusted },
    ],
    0,
    1,
  ],
  ['the stand-in while the node has just come back', [good, standIn], 1, 1],
  ['the node once it has been good for a while', [{ ...good, ...proven }, standIn], 1, 0],
  ['it still when an equal one has been good for longer', [{ ...good, ...proven }, good], 1, 1],
])('chooses %s', ([, standings, current, chosen]) => {
  expect(chooseSource(standings, current)).toBe(chosen);
});

type Extent = [height: number, work: bigint | null];
const extent = ([height, work]: Extent) => ({ height, work });

test.for<[string, Extent, Extent, boolean]>([
  ['has less work', [10, 20n], [10, 21n], true],
  ['has less work in more blocks', [12, 20n], [10, 21n], true],
  ['has more work in fewer blocks', [10, 21n], [12, 20n], false],
  ['has the same', [10, 20n], [10, 20n], false],
  ['is lower than one that does not tell its work', [10, 20n], [11, null], true],
  ['is lower and does not tell its work', [10, null], [11, 20n], true],
  ['is higher than one that does not tell its work', [11, 20n], [10, null], false],
])('a source that %s', ([, own, other, outdone]) => {
  expect(isOutdone(extent(own), [extent(own), extent(other)])).toBe(outdone);
});
