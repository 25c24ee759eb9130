import { expect, test } from 'vitest';
import type { ChainHistory } from '../chain-history.ts';
import type { Sold } from '../chain-shops.ts';
import type { Proof } from '../judge/polls.ts';
import type { DelayAnswer } from './judge-delays.ts';
import { unshownPayments, watchPage } from './watch-page.ts';

const sold = ['a', 'b'].map(
  (scriptHex) => ({ scriptHex, publicId: `of ${scriptHex}`, currency: 'BTC' }) as Sold,
);
const payment = (txid: string, scriptHex: string, sentMs = 0): ChainHistory['sent'][number] => ({
  txid,
  sentMs,
  claims: [],
  outputs: [{ vout: 0, amount: 1n, scriptHex }],
  isPegOut: false,
});

test('a payment is proof of a look once a page shows it whose view does not lag', async () => {
  const pages = [
    { isDelayed: false, txids: [] },
    { isDelayed: true, txids: ['paid'] },
    { isDelayed: false, txids: ['paid'] },
  ];
  const proofs: Proof[] = [];
  const answers: DelayAnswer[] = [];
  const ending = new AbortController();
  const asked: string[] = [];
  const shown: string[] = [];
  const showToPayers = (publicId: string) => {
    asked.push(publicId);
    if (pages.length === 1) ending.abort();
    return Promise.resolve(pages.shift() ?? { isDelayed: false, txids: [] });
  };
  const history = {
    sent: [payment('paid', 'b', 42)],
    addProof: (proof: Proof) => void proofs.push(proof),
    addShown: (txid: string) => void shown.push(txid),
  };
  await watchPage({ showToPayers }, { currency: 'BTC', sold, history, answers }, ending.signal);
  expect(asked).toEqual(['of b', 'of b', 'of b']);
  expect(answers.map(({ isDelayed }) => isDelayed)).toEqual([false, true, false]);
  expect(shown).toEqual(['paid', 'paid']);
  expect(proofs).toEqual([{ sentMs: 42, shownMs: expect.any(Number) }]);
  expect(proofs[0]?.shownMs).toBeGreaterThanOrEqual(answers[2]?.fromMs ?? Infinity);
});

test('of the newest payments that were not shown yet, the one that was asked for least comes next', () => {
  const sent = [payment('first', 'a'), payment('foreign', 'c')];
  const unshown = unshownPayments(sent, sold);
  expect([unshown.next()?.txid, unshown.next()?.txid]).toEqual(['first', 'first']);
  sent.push(payment('second', 'b'), payment('third', 'a'));
  const turns = Array.from({ length: 6 }, () => unshown.next());
  expect(turns.map((turn) => turn?.txid)).toEqual(['third', 'second', 'third', 'second', 'third', 'second']);
  if (turns[0]) unshown.remove(turns[0]);
  expect([unshown.next()?.txid, unshown.next()?.txid]).toEqual(['first', 'second']);
  sent.push(...Array.from({ length: 16 }, (_, index) => payment(`later ${index}`, 'a')));
  expect(Array.from({ length: 100 }, () => unshown.next()?.txid)).not.toContain('first');
});
