import { createTestServers } from '@paywatch/dev/servers';
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runFuzz } from './run-fuzz.ts';

const REQUESTS = 20_000;

it('answers 20,000 hostile requests with a problem or a success, each within its CPU limit', async () => {
  const servers = await createTestServers();
  const violations: string[] = [];
  const seed = randomInt(2 ** 32 - 1);
  const result = await runFuzz({
    servers,
    seed,
    isOver: (requests) => requests >= REQUESTS,
    onViolation: (violation) => violations.push(violation),
  });
  await servers.close();
  expect(violations, `npm run fuzz -- --seed ${seed}`).toEqual([]);
  expect(result.requests).toBeGreaterThanOrEqual(REQUESTS);
}, 1_800_000);
