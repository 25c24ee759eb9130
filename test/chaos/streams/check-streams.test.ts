import { expect, test } from 'vitest';
import { checkStreams, type OverlayRecord } from './check-streams.ts';

const caused = {
  donations: new Map([['shop', new Set([1n, 2n, 3n])]]),
  versions: new Map([['inv_1', 3]]),
};
const overlay = (change: Partial<OverlayRecord> = {}): OverlayRecord => ({
  project: 'shop',
  startedAfter: 0n,
  received: [1n, 2n, 3n],
  ...change,
});
const clean = {
  lost: 0,
  repeated: 0,
  disordered: 0,
  uncaused: 0,
  neverStarted: 0,
  behind: 0,
  statusRepeated: 0,
};

test.each([
  ['each donation once', overlay(), clean],
  ['a client that connected later', overlay({ startedAfter: 2n, received: [3n] }), clean],
  ['a missing donation', overlay({ received: [1n, 3n] }), { ...clean, lost: 1 }],
  ['a missing last donation', overlay({ received: [1n, 2n] }), { ...clean, lost: 1 }],
  ['a client that received nothing', overlay({ received: [] }), { ...clean, lost: 3 }],
  ['a repeated donation', overlay({ received: [1n, 2n, 2n, 3n] }), { ...clean, repeated: 1 }],
  [
    'a repeated donation after a resume',
    overlay({ received: [1n, 2n, 3n, 1n] }),
    { ...clean, repeated: 1, disordered: 1 },
  ],
  ['donations in a wrong order', overlay({ received: [1n, 3n, 2n] }), { ...clean, disordered: 1 }],
  ['a donation that nobody caused', overlay({ received: [1n, 2n, 3n, 4n] }), { ...clean, uncaused: 1 }],
  ['donations of another project', overlay({ project: 'other' }), { ...clean, uncaused: 3 }],
  ['a client without a start position', null, { ...clean, neverStarted: 1 }],
])('the stream checker counts %s', (_title, record, counts) => {
  expect(checkStreams(caused, [record], [])).toEqual(counts);
});

test.each([
  ['every version', [1, 2, 3], clean],
  ['the newest alone', [3], clean],
  ['a client without the last version', [1, 2], { ...clean, behind: 1 }],
  ['nothing', [], { ...clean, behind: 1 }],
  ['a version twice', [1, 3, 3], { ...clean, statusRepeated: 1 }],
  ['a decreasing version', [3, 2], { ...clean, behind: 1, statusRepeated: 1 }],
  ['a version that never existed', [4], { ...clean, behind: 1, statusRepeated: 1 }],
])('the stream checker counts for an invoice %s', (_title, received, counts) => {
  expect(checkStreams(caused, [], [{ publicId: 'inv_1', received }])).toEqual(counts);
});
