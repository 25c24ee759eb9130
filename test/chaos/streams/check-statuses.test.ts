import { expect, test } from 'vitest';
import { checkStatuses } from './check-statuses.ts';

const clean = { behind: 0, repeated: 0 };

test.each([
  ['every version', [1, 2, 3], clean],
  ['the newest alone', [3], clean],
  ['a client without the last version', [1, 2], { ...clean, behind: 1 }],
  ['nothing', [], { ...clean, behind: 1 }],
  ['a version twice', [1, 3, 3], { ...clean, repeated: 1 }],
  ['a decreasing version', [3, 2], { behind: 1, repeated: 1 }],
  ['a version that never existed', [4], { behind: 1, repeated: 1 }],
])('the checker of invoice streams counts %s', (_title, received, counts) => {
  expect(checkStatuses(new Map([['inv_1', 3]]), [{ publicId: 'inv_1', received }])).toEqual(counts);
});
