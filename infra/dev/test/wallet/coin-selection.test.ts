import { array, assert, bigInt, integer, pre, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSpendable, planPayment, planReplacement, type Coin } from '../../src/wallet/coin-selection.ts';

const script = new Uint8Array(22);
const changeScript = new Uint8Array(22).fill(1);

function coin(amount: bigint, over: Partial<Coin> = {}): Coin {
  return {
    txid: amount.toString(16).padStart(64, '0'),
    vout: 0,
    amount,
    height: 10,
    isCoinbase: false,
    ...over,
  };
}

describe('planPayment', () => {
  const amounts = array(bigInt({ min: 1_000n, max: 10_000_000_000n }), { minLength: 1, maxLength: 20 });

  test('never creates or loses money, and pays at least the requested fee rate', () => {
    assert(
      property(
        amounts,
        bigInt({ min: 600n, max: 5_000_000_000n }),
        integer({ min: 1, max: 200 }),
        (have, amount, feeRate) => {
          const candidates = have.map((value) => coin(value));
          const total = have.reduce((sum, value) => sum + value, 0n);
          pre(total > amount + BigInt(feeRate * 2000));
          const plan = planPayment({ candidates, outputs: [{ script, amount }], feeRate, changeScript });
          const spent = plan.coins.reduce((sum, { amount: value }) => sum + value, 0n);
          const paid = plan.outputs.reduce((sum, output) => sum + output.amount, 0n);
          expect(spent - paid).toBe(plan.fee);
          expect(Number(plan.fee)).toBeGreaterThanOrEqual(feeRate * plan.vsize);
          expect(plan.outputs[0]).toEqual({ script, amount });
        },
      ),
    );
  });

  test.each([
    [
      'the smallest confirmed coin that suffices',
      [coin(50_000n), coin(900_000n), coin(200_000n)],
      [200_000n],
    ],
    [
      'a confirmed coin before a smaller unconfirmed one',
      [coin(900_000n), coin(200_000n, { height: null })],
      [900_000n],
    ],
    [
      'an unconfirmed coin if no other suffices',
      [coin(50_000n), coin(200_000n, { height: null })],
      [200_000n],
    ],
    [
      'the largest coins together if none suffices alone',
      [coin(60_000n), coin(70_000n), coin(80_000n)],
      [80_000n, 70_000n],
    ],
  ])('takes %s', (_, candidates, expected) => {
    const plan = planPayment({
      candidates,
      outputs: [{ script, amount: 100_000n }],
      feeRate: 10,
      changeScript,
    });
    expect(plan.coins.map(({ amount }) => amount)).toEqual(expected);
  });

  test('adds change below the dust limit to the fee', () => {
    const plan = planPayment({
      candidates: [coin(105_000n)],
      outputs: [{ script, amount: 100_000n }],
      feeRate: 10,
      changeScript,
    });
    expect(plan).toMatchObject({ change: null, fee: 5_000n });
  });

  test('throws if the coins do not suffice', () => {
    const outputs = [{ script, amount: 100_000n }];
    expect(() => planPayment({ candidates: [coin(100_000n)], outputs, feeRate: 10 })).toThrow(/do not cover/);
  });
});

describe('planReplacement', () => {
  const original = planPayment({
    candidates: [coin(200_000n)],
    outputs: [{ script, amount: 100_000n }],
    feeRate: 10,
    changeScript,
  });

  test('spends the same coins with a higher fee and fee rate', () => {
    const plan = planReplacement({ original, candidates: [], outputs: [], changeScript });
    expect(plan.coins).toEqual(original.coins);
    expect(plan.fee).toBeGreaterThanOrEqual(original.fee + BigInt(plan.vsize));
    expect(Number(plan.fee) / plan.vsize).toBeGreaterThan(Number(original.fee) / original.vsize);
  });

  test('adds a confirmed coin, never an unconfirmed one, if its own do not suffice', () => {
    const candidates = [coin(300_000n, { height: null }), coin(400_000n)];
    const plan = planReplacement({
      original,
      candidates,
      outputs: [{ script, amount: 250_000n }],
      changeScript,
    });
    expect(plan.coins.map(({ amount }) => amount)).toEqual([200_000n, 400_000n]);
  });
});

test.each([
  [109, false],
  [110, true],
])('a reward of block 11 is mature at tip %i: %s', (tip, expected) => {
  expect(isSpendable(coin(1n, { height: 11, isCoinbase: true }), tip)).toBe(expected);
});
