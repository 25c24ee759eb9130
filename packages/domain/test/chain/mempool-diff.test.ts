import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffMempool } from '../../src/chain/mempool-diff.ts';

describe('the difference between two reads of a mempool', () => {
  test('names the transactions that arrived and those that are gone', () => {
    expect(diffMempool(new Set(['a', 'b']), ['b', 'c', 'c'])).toEqual({ arrived: ['c'], gone: ['a'] });
    expect(diffMempool(new Set(), [])).toEqual({ arrived: [], gone: [] });
  });

  test('applied to the first read gives the second', () => {
    const txids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'));
    fc.assert(
      fc.property(txids, txids, (before, after) => {
        const { arrived, gone } = diffMempool(new Set(before), after);
        const applied = new Set([...before, ...arrived]).difference(new Set(gone));
        expect(applied).toEqual(new Set(after));
      }),
    );
  });
});
