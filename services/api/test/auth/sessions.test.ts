import { waitUntil } from '@paywatch/dev/testing';
import { randomBase58, sha256 } from '@paywatch/runtime/security';
import { describe, expect, it } from 'vitest';
import { deviceName } from '../../src/sessions/device-name.ts';
import { expectAnswer, expectProblem, randomAddress, sharedApi } from '../support/api.ts';

const IDLE_SECONDS = 3600;
const api = await sharedApi({ env: { SESSION_IDLE_SECONDS: String(IDLE_SECONDS) } });
const other = await sharedApi({ beside: api });

const PASSWORD = 'correct horse battery';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

type Listed = {
  session_id: string;
  device: string | null;
  ip: string | null;
  last_used_at: string;
  current: boolean;
};

async function register(): Promise<string> {
  const email = `${randomBase58(8).toLowerCase()}@example.com`;
  await api.call('post', '/v1/auth/register', { body: { email, password: PASSWORD } }).expect(201);
  return email;
}

async function login(email: string, userAgent = FIREFOX, from = randomAddress()): Promise<string> {
  const body = { email, password: PASSWORD };
  const response = await api.call('post', '/v1/auth/login', { body, from }).set('User-Agent', userAgent);
  expectAnswer(response, 'login', 200);
  return String(response.body.session_token);
}

async function list(session: string, from?: string): Promise<Listed[]> {
  const response = await api.call('get', '/v1/sessions', { session, ...(from && { from }) });
  expectAnswer(response, 'listSessions', 200);
  return response.body.data as Listed[];
}

const logoutOthers = (session: string) => api.call('post', '/v1/auth/logout-others', { session });
const me = (session: string, replica = api) => replica.call('get', '/v1/me', { session });

/** Moves the last use of a session this many seconds into the past and deletes its cache entry. */
async function age(session: string, seconds: number): Promise<void> {
  const hash = sha256(session);
  await api.store.sql`
    update sessions set created_at = now() - make_interval(secs => ${seconds}),
      last_used_at = now() - make_interval(secs => ${seconds}) where token_hash = ${hash}`;
  await api.store.redis.del(api.store.keys.session(hash.toString('hex')));
}

describe('the list of sessions', () => {
  it('has the device, the address and the last use of each, the one used last first', async () => {
    const email = await register();
    const first = await login(email, 'curl/8.5.0', '93.184.216.1');
    await age(first, 60);
    const second = await login(email, FIREFOX, '93.184.216.2');
    const listed = await list(second, '93.184.216.2');
    expect(listed).toMatchObject([
      { device: 'Firefox on Linux', ip: '93.184.216.2', current: true },
      { device: 'curl', ip: '93.184.216.1', current: false },
    ]);
  });

  it('shows nothing of another account', async () => {
    const [one, two] = [await login(await register()), await login(await register())];
    expect(await list(one)).toHaveLength(1);
    const [{ session_id: id } = { session_id: '' }] = await list(two);
    const refused = await api.call('delete', `/v1/sessions/${id}`, { session: one });
    expectProblem(refused, 404, 'session_not_found');
    await me(two).expect(200);
  });

  it('says from where a session was last used', async () => {
    const session = await login(await register(), FIREFOX, '93.184.216.1');
    await age(session, 120);
    await other
      .call('get', '/v1/me', { session, from: '93.184.216.9' })
      .set('User-Agent', 'thief/1')
      .expect(200);
    const isNoted = async () => (await list(session))[0]?.ip === '93.184.216.9';
    await waitUntil(isNoted, { what: 'the use to be noted' });
    expect((await list(session))[0]).toMatchObject({ device: 'thief' });
  });

  it('has at most 100 sessions, and cuts off a long User-Agent', async () => {
    const session = await login(await register(), 'x'.repeat(5000));
    expect((await list(session))[0]?.device).toBe('x'.repeat(40));
    await api.store.sql`
      insert into sessions (token_hash, account_id, expires_at)
      select sha256(n::text::bytea || ${sha256(session)}::bytea), account_id, expires_at
      from sessions, generate_series(1, 150) n where token_hash = ${sha256(session)}`;
    expect(await list(session)).toHaveLength(100);
  });

  it.each([
    [FIREFOX, 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    ['paywatch-shop/2.1', 'paywatch-shop'],
    ['<script>alert(1)</script>', null],
    ['', null],
    [null, null],
  ])('names %s as %s', (userAgent, name) => {
    expect(deviceName(userAgent)).toBe(name);
  });
});

describe('a session that the owner ends', () => {
  it('is accepted on no replica any more, and is in the audit log', async () => {
    const email = await register();
    const [stolen, own] = [await login(email), await login(email)];
    await me(stolen, other).expect(200);
    const { session_id: id } = (await list(own)).find(({ current }) => !current) ?? { session_id: '' };
    expectAnswer(await api.call('delete', `/v1/sessions/${id}`, { session: own }), 'endSession', 200);
    for (const replica of [api, other]) expectProblem(await me(stolen, replica), 401, 'unauthorized');
    await me(own).expect(200);
    const again = await api.call('delete', `/v1/sessions/${id}`, { session: own });
    expectProblem(again, 404, 'session_not_found');
    const { body } = await api.call('get', '/v1/audit-log?action=sessions.ended', { session: own });
    expect(body.data).toMatchObject([{ details: { ended: 1 }, actor: { type: 'person', name: email } }]);
  });

  it('may be the current one', async () => {
    const session = await login(await register());
    const [{ session_id: id } = { session_id: '' }] = await list(session);
    expectAnswer(await api.call('delete', `/v1/sessions/${id}`, { session }), 'endSession', 200);
    expectProblem(await me(session), 401, 'unauthorized');
  });

  it('is each one but the current, with one request', async () => {
    const email = await register();
    const others = [await login(email), await login(email)];
    const own = await login(email);
    for (const session of others) await me(session, other).expect(200);
    const ended = await logoutOthers(own);
    expectAnswer(ended, 'logoutOthers', 200);
    expect(ended.body).toEqual({ ended: 2 });
    for (const session of others) expectProblem(await me(session, other), 401, 'unauthorized');
    expect(await list(own)).toHaveLength(1);
    const again = await logoutOthers(own);
    expect(again.body).toEqual({ ended: 0 });
  });

  it('may end the other one at the same moment: exactly one of both is left', async () => {
    const email = await register();
    const [one, two] = [await login(email), await login(email)];
    const answers = await Promise.all([logoutOthers(one), logoutOthers(two)]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 401]));
  });
});

describe('a session that is not used', () => {
  it('ends after the idle time, also for changes and in the list', async () => {
    const email = await register();
    const [idle, own] = [await login(email), await login(email)];
    await age(idle, IDLE_SECONDS + 1);
    expectProblem(await me(idle), 401, 'unauthorized');
    const body = { name: 'Taken over' };
    expectProblem(await api.call('patch', '/v1/project', { session: idle, body }), 401, 'unauthorized');
    expect(await list(own)).toHaveLength(1);
  });

  it('stays open if it is used within the idle time', async () => {
    const session = await login(await register());
    await age(session, IDLE_SECONDS - 60);
    const hash = sha256(session);
    // A replica that has not noted a use of it within this minute.
    await other.call('get', '/v1/me', { session }).expect(200);
    const isNoted = async () => {
      const [row] = await api.store.sql<{ isRecent: boolean }[]>`
        select last_used_at > now() - interval '1 minute' as "isRecent" from sessions where token_hash = ${hash}`;
      return row?.isRecent === true;
    };
    await waitUntil(isNoted, { what: 'the use to be noted' });
    expect((await me(session)).status).toBe(200);
  });
});
