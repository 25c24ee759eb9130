import { expect, test } from 'vitest';
import { chooseSource, hasLessWork, type SourceCandidate } from '../../src/sources/choose-source.ts';

const good: SourceCandidate = {
  rank: 0,
  answers: true,
  fault: null,
  isLagging: false,
  isCoolingDown: false,
};
const down: SourceCandidate = { ...good, answers: false, fault: 'does not answer' };
const unrelated: SourceCandidate = { ...good, fault: 'leaves the chain that is known' };
const standIn: SourceCandidate = { ...good, rank: 1 };
const lagging = { isLagging: true };
const distrusted = { isCoolingDown: true };

test.for<[string, SourceCandidate[], number | null, number | null]>([
  ['the first one at the start', [good, good], null, 0],
  ['a node before what stands in for it', [standIn, good], null, 1],
  ['nothing when none can be read', [down, down], 0, null],
  ['the one that is read from, while it is good', [good, good], 1, 1],
  ['another one when it is down', [down, good], 0, 1],
  ['a stand-in when every node is down', [down, standIn], 0, 1],
  ['another node when it lags', [{ ...good, ...lagging }, good], 0, 1],
  ['another node when reading from it failed', [{ ...good, ...distrusted }, good], 0, 1],
  ['it all the same when it is the only one', [{ ...good, ...lagging, ...distrusted }], 0, 0],
  ['a node that failed lately before a stand-in', [{ ...good, ...distrusted }, standIn], 0, 0],
  [
    'a node that lags behind another node, which is down now, before a stand-in',
    [{ ...good, ...lagging }, down, standIn],
    0,
    0,
  ],
  ['the node as soon as it answers again', [good, standIn], 1, 0],
  ['no stand-in while a node answers that cannot be read', [unrelated, standIn], 1, null],
  [
    'one that failed lately before one that lags',
    [
      { ...good, ...lagging },
      { ...good, ...distrusted },
    ],
    0,
    1,
  ],
])('chooses %s', ([, standings, current, chosen]) => {
  expect(chooseSource(standings, current)).toBe(chosen);
});

test.for<[bigint, bigint[], boolean]>([
  [20n, [20n, 21n], true],
  [21n, [20n, 21n], false],
  [20n, [20n], false],
  [-1n, [0n], true],
])('work %s beside %s: less is %s', ([own, others, isLess]) => {
  expect(hasLessWork(own, others)).toBe(isLess);
});
