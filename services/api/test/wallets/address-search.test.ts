import { deriveReceiveAddress, parseWalletKey } from '@paywatch/domain/keys';
import { expect, onTestFinished, test } from 'vitest';
import { openAddressSearch, type AddressSearch } from '../../src/wallets/address-search.ts';
import { BIP84 } from '../support/wallet-keys.ts';

const parsed = parseWalletKey({ currency: 'BTC', xpub: BIP84.zpub }, 'mainnet');
if (!parsed.ok) throw new Error(parsed.problem.message);
const key = parsed.value;
const { script } = deriveReceiveAddress(key, 7);
const question = { key, script, nextIndex: 1 };

/** Ends without a word when it is asked about index 0, and answers everything else. */
const ENDING_THREAD = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ nextIndex }) =>
      nextIndex === 0 ? process.exit(0) : parentPort.postMessage({ isOwn: true, nearby: null }));
  `)}`,
);

test('many searches of one project delay that of another by two, and are refused beyond three', async () => {
  const search = open();
  const order: string[] = [];
  const from = (projectId: bigint) =>
    search(projectId, question).then(
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

test('no number of other projects makes a search be refused', async () => {
  const search = open();
  const found = await Promise.all(Array.from({ length: 30 }, (_, id) => search(BigInt(id), question)));
  expect(found).toEqual(Array.from({ length: 30 }, () => ({ isOwn: true, nearby: null })));
});

test('a thread that ends without a word fails its search, and holds up none of those after it', async () => {
  const search = open(ENDING_THREAD);
  for (let tries = 0; tries < 10; tries += 1)
    await expect(search(1n, { ...question, nextIndex: 0 })).rejects.toThrow('ended');
  const waiting = [search(1n, { ...question, nextIndex: 0 }), search(1n, question), search(2n, question)];
  const outcomes = await Promise.allSettled(waiting);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});

function open(thread?: URL): AddressSearch {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  return openAddressSearch(closing.signal, thread);
}
