import { expect, test } from 'vitest';
import { batchReads } from '../../src/concurrency/batch-reads.ts';

type Statement = { keys: readonly string[]; answer: (found: Map<string, string>) => void; fail: () => void };

/** A reader whose statements are answered by hand. */
function openReader(options: { limit: number; pauseMs?: number }) {
  const statements: Statement[] = [];
  const begun: (() => void)[] = [];
  const read = batchReads<string, string>({
    ...options,
    nameOf: String,
    read: (keys) => {
      const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
      statements.push({ keys, answer: resolve, fail: () => reject(new Error('no')) });
      for (const resolveBegun of begun.splice(0)) resolveBegun();
      return promise;
    },
  });
  const until = async (count: number): Promise<Statement> => {
    while (statements.length < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push(resolve);
      await promise;
    }
    return statements[count - 1]!;
  };
  return { read, until, statements };
}

test('keys requested while a statement runs share the next one, up to the limit', async () => {
  const { read, until, statements } = openReader({ limit: 3, pauseMs: 1 });
  const [one, again] = [read('one'), read('one')];
  const first = await until(1);
  const reads = ['a', 'b', 'c', 'd', 'a'].map(read);
  first.answer(new Map([['one', '1']]));
  expect(await Promise.all([one, again])).toEqual(['1', '1']);
  (await until(2)).answer(new Map([['b', '2']]));
  (await until(3)).answer(new Map([['d', '4']]));
  expect(await Promise.all(reads)).toEqual([null, '2', null, '4', null]);
  expect(statements.map(({ keys }) => keys)).toEqual([['one'], ['a', 'b', 'c'], ['d']]);
});

test('a statement that fails or hangs does not block others', async () => {
  const { read, until } = openReader({ limit: 3, pauseMs: 1 });
  const failing = read('failing');
  (await until(1)).fail();
  await expect(failing).rejects.toThrow('no');
  void read('hanging');
  await until(2);
  const next = read('next');
  (await until(3)).answer(new Map([['next', '1']]));
  expect(await next).toBe('1');
});
