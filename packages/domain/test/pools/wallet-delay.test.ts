import { describe, expect, test } from 'vitest';
import { waitOfDelayChange, waitOfWalletChange, walletDelaySeconds } from '../../src/pools/wallet-delay.ts';

const DAY = 86_400;

describe('a change of a wallet waits', () => {
  test.each<[paid: boolean, deployment: number, own: number | null, wait: number]>([
    [false, DAY, null, 0],
    [false, DAY, 7 * DAY, 0],
    [true, DAY, null, DAY],
    [true, DAY, 7 * DAY, 7 * DAY],
    [true, DAY, 0, DAY],
    [true, 0, null, 0],
    [true, 0, DAY, DAY],
  ])('paid lately: %s, deployment %i s, owner %s s: %i s', (isPaid, deploymentSeconds, ownSeconds, wait) => {
    expect(waitOfWalletChange({ isPaid, deploymentSeconds, ownSeconds })).toBe(wait);
  });
});

describe('a change of the delay waits', () => {
  test.each<[own: number | null, wanted: number, wait: number]>([
    [null, 7 * DAY, 0],
    [null, DAY, 0],
    [null, 0, 0],
    [7 * DAY, 8 * DAY, 0],
    [7 * DAY, 7 * DAY, 0],
    [7 * DAY, 7 * DAY - 1, 7 * DAY],
    [7 * DAY, 0, 7 * DAY],
  ])('from %s s to %i s at a deployment with a day: %i s', (ownSeconds, wanted, wait) => {
    expect(waitOfDelayChange({ deploymentSeconds: DAY, ownSeconds }, wanted)).toBe(wait);
  });
});

test('no order of changes makes the delay shorter before the present one has passed', () => {
  for (const ownSeconds of [null, 0, DAY, 3 * DAY, 30 * DAY])
    for (const wanted of [0, 1, DAY, 2 * DAY, 30 * DAY]) {
      const delays = { deploymentSeconds: DAY, ownSeconds };
      const after = walletDelaySeconds({ ...delays, ownSeconds: wanted });
      const present = walletDelaySeconds(delays);
      expect(waitOfDelayChange(delays, wanted)).toBe(after < present ? present : 0);
    }
});
