import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startNodeClock } from './node-clock.ts';

test('a clock that is set right stays right, though the node was slow to answer the call before', async () => {
  const answered: (number | null)[] = [];
  let slowMs = 50;
  const clock = startNodeClock({
    setMockTime: async (epochSeconds) => {
      const ms = slowMs;
      slowMs = 0;
      await sleep(ms);
      answered.push(epochSeconds);
    },
  });
  const ahead = clock.setSkew(95_000);
  const right = clock.setSkew(0);
  await Promise.all([ahead, right]);
  expect(answered.at(-1)).toBeNull();
});
