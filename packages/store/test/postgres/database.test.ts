import { expect, test } from 'vitest';
import { isDatabaseUnavailable, openDatabase } from '../../src/postgres/database.ts';

test.each(['127.0.0.1:1', 'no-such-host.invalid:5432', '[100::1]:5432'])(
  'an unreachable server at %s counts as unavailable',
  async (host) => {
    const database = openDatabase({
      url: `postgres://nobody@${host}/none`,
      applicationName: 'test',
      poolSize: 1,
    });
    const failure = await database.ping().then(
      () => null,
      (error: unknown) => error,
    );
    await database.close();
    expect(isDatabaseUnavailable(failure)).toBe(true);
  },
);

test('an error of a statement does not count as an outage', () => {
  expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code: '23505' }))).toBe(false);
  expect(isDatabaseUnavailable(new Error('x'))).toBe(false);
});
