import { expect, it } from 'vitest';
import { randomAddress, sharedApi, startApi } from '../support/api.ts';

const env = { REGISTER_LIMIT_POINTS: '10000', LOGIN_LIMIT_POINTS: '10', LOGIN_EMAIL_LIMIT_POINTS: '10000' };
const api = await sharedApi({ env });

it('an unknown client has one limit over all replicas, whatever it puts into X-Forwarded-For', async () => {
  const other = await startApi({ env, beside: api });
  const from = randomAddress();
  const body = { email: 'nobody@example.com', password: 'wrong horse battery' };
  const statuses: number[] = [];
  for (let turn = 0; turn < 12; turn += 1) {
    const replica = turn % 2 === 0 ? api : other;
    const forged = `${randomAddress()}, ${randomAddress()}, ${from}`;
    statuses.push((await replica.call('post', '/v1/auth/login', { body, from: forged })).status);
  }
  await other.close();
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
});

/** Interleaved, so that whatever else the machine does falls on both alike. */
async function compareMedians(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<number> {
  const durationsMs: [number[], number[]] = [[], []];
  for (let round = 0; round < 2 * 11; round += 1) {
    const startedMs = performance.now();
    await (round % 2 === 0 ? first() : second());
    durationsMs[round % 2 === 0 ? 0 : 1].push(performance.now() - startedMs);
  }
  const [a = 0, b = 0] = durationsMs.map((durations) => durations.toSorted((x, y) => x - y)[5]);
  return a / b;
}

function login(email: string) {
  return api.call('post', '/v1/auth/login', { body: { email, password: 'wrong horse battery' } });
}

it('registration and login take the same time for existing and unknown accounts', async () => {
  const password = 'correct horse battery staple';
  const register = (email: string) => api.call('post', '/v1/auth/register', { body: { email, password } });
  await register('known@example.com');
  let unknown = 0;
  const nobody = () => `unknown-${(unknown += 1)}@example.com`;
  const registering = await compareMedians(
    () => register('known@example.com'),
    () => register(nobody()),
  );
  const loggingIn = await compareMedians(
    () => login('known@example.com'),
    () => login(nobody()),
  );
  // Without a hash for those who do not exist it would be more than ten times; beside other work medians differ by a factor of two.
  for (const ratio of [registering, loggingIn]) {
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  }
});
