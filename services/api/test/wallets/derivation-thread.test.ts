import { deriveReceiveAddress, deriveReceiveAddresses, parseWalletKey } from '@paywatch/domain/keys';
import { expect, onTestFinished, test } from 'vitest';
import { openDerivationThread, type DerivationThread } from '../../src/wallets/derivation-thread.ts';
import { BIP84 } from '../support/wallet-keys.ts';

const parsed = parseWalletKey({ currency: 'BTC', xpub: BIP84.zpub }, 'mainnet');
if (!parsed.ok) throw new Error(parsed.problem.message);
const key = parsed.value;
const { script } = deriveReceiveAddress(key, 7);
const wanted = { key, script, nextIndex: 1 };
const FOUND = { index: 7, branch: 0, scriptType: 'p2wpkh', isReceiveAddress: true };

/** Exits without a result when it searches from index 0, and handles everything else. */
const EXITING_THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ nextIndex }) =>
      nextIndex === 0 ? process.exit(0) : parentPort.postMessage(null));
  `)}`,
);

/** Answers with a number that differs from thread to thread. */
const COUNTING_THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    parentPort.on('message', () => setTimeout(() => parentPort.postMessage(threadId), 5));
  `)}`,
);

test("many searches of one project delay another project's by at most two, and more than three are refused", async () => {
  const thread = open();
  const order: string[] = [];
  const from = (projectId: bigint) =>
    thread.search(projectId, wanted).then(
      () => order.push(`project ${projectId}`),
      (error: unknown) => error,
    );
  const greedy = Array.from({ length: 20 }, () => from(1n));
  await from(2n);
  expect(order.slice(0, 3)).toContain('project 2');
  const refused = (await Promise.all(greedy)).filter((answer) => typeof answer !== 'number');
  expect(refused).toHaveLength(17);
  for (const error of refused) expect(error).toMatchObject({ code: 'service_unavailable' });
});

test('a search is not refused, however many other projects search', async () => {
  const thread = open();
  const found = await Promise.all(Array.from({ length: 30 }, (_, id) => thread.search(BigInt(id), wanted)));
  expect(found).toEqual(Array.from({ length: 30 }, () => FOUND));
});

test('a thread that exits without a result fails its search and no later one', async () => {
  const thread = open(EXITING_THREAD);
  for (let tries = 0; tries < 10; tries += 1)
    await expect(thread.search(1n, { ...wanted, nextIndex: 0 })).rejects.toThrow('exited');
  const waiting = [
    thread.search(1n, { ...wanted, nextIndex: 0 }),
    thread.search(1n, wanted),
    thread.search(2n, wanted),
  ];
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

test('the thread ends when it has had no task for a while, and the next task starts another', async () => {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const thread = openDerivationThread(closing.signal, COUNTING_THREAD, 1);
  const first = await thread.search(1n, wanted);
  expect(first).toEqual(expect.any(Number));
  // The pauses between polls are longer than the time after which it ends.
  await expect.poll(() => thread.search(1n, wanted)).not.toBe(first);
});

test('the thread derives the addresses that the main thread would, and none for a negative count', async () => {
  const thread = open();
  const derived = await thread.derive(1n, { key, start: 3, count: 2 });
  expect(derived.map(({ address }) => address)).toEqual(
    deriveReceiveAddresses(key, 3, 2).map(({ address }) => address),
  );
  expect(await thread.derive(1n, { key, start: 3, count: -5 })).toEqual([]);
});

function open(entry?: URL): DerivationThread {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  return openDerivationThread(closing.signal, entry);
}
